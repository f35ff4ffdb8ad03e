import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { describe, expect, test } from 'vitest';
import { openParts } from '../../home/services.js';
import { failedReplays } from '../workflows/replay.js';
import { makeHome, threeBriefs } from './home.js';
import { apiKey, serveMovies, serviceAt } from './service.js';

const minutes = 60_000;

describe('what Temporal and the logs get to know', () => {
  test('no prompt, no key, no signed address; and every history replays', { timeout: 6 * minutes }, async () => {
    const home = await makeHome();
    const service = await serveMovies({ jobSeconds: (movie) => (movie.prompt.startsWith('A night ferry') ? 30 : 0) });
    const env = serviceAt(service.port);
    const run = home.start(['run', await home.sheet(threeBriefs), '--budget', '20USD', '--yes'], env);
    await home.until(run, ({ rows }) => rows.delivered === 2);
    const histories = await historiesOf(home.home);
    run.signal('SIGINT');
    const ended = await run.ended;

    const secrets = /A lighthouse at dusk|Fishing boats|A night ferry|sk_the_key|[?&](sig|signature)=|\/v1\/files\//;
    const logs = join(home.home, 'logs');
    const texts = await Promise.all((await readdir(logs)).map((name) => readFile(join(logs, name), 'utf8')));
    expect(histories.length).toBeGreaterThan(1);
    expect(histories.map(({ text }) => text).join('\n')).toContain('lighthouse');
    expect(histories.map(({ workflowId }) => workflowId)).toContainEqual(expect.stringMatching(/\/batch\/sheet-1$/));
    for (const text of [...texts, ended.stdout, ended.stderr, ...histories.map(({ text }) => text)]) {
      expect(text).not.toMatch(secrets);
    }
    // The pattern finds what it is for: the books, where they must be, are full of it.
    expect(JSON.stringify(await (await home.ledger()).db.selectFrom('rows').selectAll().execute())).toMatch(secrets);
    expect(apiKey).toMatch(secrets);

    expect(await failedReplays(histories)).toEqual([]);
  });
});

/** Of every workflow in the home's Temporal; payloads, which are bytes, as text. */
async function historiesOf(home: string) {
  const parts = await openParts(home);
  const port = parts.running('temporal')?.port;
  parts.close();
  const connection = await Connection.connect({ address: `127.0.0.1:${port}` });
  try {
    const client = new Client({ connection });
    const found = [];
    for await (const { workflowId, runId } of client.workflow.list()) {
      const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
      found.push({ workflowId, history, text: wordsOf(history).join('\n') });
    }
    return found;
  } finally {
    await connection.close();
  }
}

/** Every text in it, and every payload as one. */
function wordsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Uint8Array) return [Buffer.from(value).toString('utf8')];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(wordsOf) : [];
}
