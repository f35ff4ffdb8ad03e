import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callsOf, temporaryFolder } from '../../studio/open-studio.js';
import { runCommand } from '../memory-context.js';

/** Starts the studio, asks it something, and stops it by Ctrl-C. */
async function whileServing(
  args: readonly string[],
  ask: (url: string, cwd: string) => Promise<void>,
  env: Record<string, string> = {},
) {
  const cwd = await temporaryFolder();
  let asking: Promise<void> | undefined;
  const ended = await runCommand(['studio', '--port', '0', '--render', 'stub', '--json', ...args], {
    cwd,
    env,
    onOutput(text, interrupt) {
      if (asking || !text.endsWith('\n')) return;
      asking = ask(JSON.parse(text).url, cwd).finally(interrupt);
    },
  });
  await asking;
  return { ...ended, cwd };
}

const brief = { prompt: 'A lighthouse at dusk, gulls above it' };

test('serves until it is told to stop, with a key of its own that only the owner can read', async () => {
  const { exitCode, stderr, cwd } = await whileServing([], async (url, folder) => {
    const key = (await readFile(join(folder, '.greenlight/studio/api-key'), 'utf8')).trim();
    const answer = await callsOf(fetch, url).call('POST', '/movies', { body: brief, key });
    expect(answer.status).toBe(202);
    const adminKey = (await readFile(join(folder, '.greenlight/studio/admin-key'), 'utf8')).trim();
    const books = await fetch(url.replace('/v1', '/_studio/books'), {
      headers: { authorization: `Bearer ${adminKey}` },
    });
    expect(books.status).toBe(404);
  });
  expect(exitCode).toBe(null);
  expect(stderr).toMatch(/Stopped; its movies are kept\. Next: greenlight studio, with the same options, continues\n$/);
  for (const file of ['api-key', 'admin-key']) {
    expect((await stat(join(cwd, '.greenlight/studio', file))).mode & 0o777).toBe(0o600);
  }
});

test('takes keys, prices, rates, faults and modes from its flags', async () => {
  const faults = join(await temporaryFolder(), 'faults.yaml');
  await writeFile(faults, 'rules:\n  - { effect: status, operation: getMovie, status: 503 }\n');
  const args = [
    '--api-key',
    'one',
    '--api-key',
    'two',
    '--books',
    '--admin-key',
    'three',
    '--public-url',
    'https://movies.example/api/v1',
    '--faults',
    faults,
    '--rate',
    '0.001/4',
    '--idempotency',
    'conflict',
  ];
  await whileServing(
    [...args, '--cents-per-credit', '3', '--currency', 'EUR', '--data', await temporaryFolder()],
    async (url) => {
      const { call } = callsOf(fetch, url);
      const estimate = await call('POST', '/movies/estimate', { body: brief, key: 'two' });
      expect(await estimate.json()).toMatchObject({ amount_minor: 18, currency: 'EUR' });
      const headers = { 'idempotency-key': 'order-0001' };
      const statuses: number[] = [];
      for (let count = 0; count < 5; count += 1)
        statuses.push((await call('POST', '/movies', { body: brief, key: 'one', headers })).status);
      expect(statuses).toEqual([202, 409, 409, 409, 429]);
      expect((await call('GET', '/movies/movie_1', { key: 'one' })).status).toBe(503);
      const books = (key: string) => call('GET', url.replace('/v1', '/_studio/books'), { key });
      expect([(await books('one')).status, (await books('three')).status]).toEqual([403, 200]);
      const document = await (await call('GET', url.replace('/v1', '/openapi.json'))).json();
      expect(document).toMatchObject({ servers: [{ url: 'https://movies.example/api/v1' }] });
    },
  );
});

test('takes its key from the environment', async () => {
  await whileServing(
    [],
    async (url) => {
      expect(
        (await callsOf(fetch, url).call('POST', '/movies', { body: brief, key: 'of-the-environment' })).status,
      ).toBe(202);
    },
    { GREENLIGHT_STUDIO_KEY: 'of-the-environment' },
  );
});

test.each([
  ['a rate without sense', ['--rate', 'fast'], 'like 10 or 10/20'],
  ['an admin key that is an API key', ['--api-key', 'one', '--admin-key', 'one'], 'a key of its own'],
  ['a public address without its version', ['--public-url', 'https://movies.example/'], 'ends in /v1'],
  ['a port without sense', ['--port', 'eighty'], 'whole number'],
  ['a currency without sense', ['--currency', 'dollars'], 'ISO 4217'],
  ['faults that are missing', ['--faults', 'missing.yaml'], 'missing.yaml'],
  ['an unknown render', ['--render', 'imax'], 'film, draft, stub'],
])('%s is refused', async (_, args, words) => {
  const { exitCode, stderr } = await runCommand(['studio', ...args], { cwd: await temporaryFolder() });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(words)]);
});

test('a fault script that is none is refused with the place', async () => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'faults.json'), '{"rules":[{"effect":"status","status":200}]}');
  const { exitCode, stderr } = await runCommand(['studio', '--port', '0', '--faults', 'faults.json'], { cwd });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('rules[0].status')]);
});
