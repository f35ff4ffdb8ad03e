import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { historyFromJSON, historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { expect, onTestFinished, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { brief } from './product.js';
import { failedReplays, historiesFrom } from './replay.js';
import { startScene } from './scene.js';

const folder = fileURLToPath(new URL('../histories', import.meta.url));

/**
 * What a release left running is replayed by today's code. Where that fails, batches that are under way at an upgrade
 * are started again from the ledger: safe, and it costs a minute each. So:
 *
 * - not meant? Put the steps of the workflow back into the order that they had, or keep the old way for old histories by
 *   `patched` of @temporalio/workflow.
 * - meant? Say so under "Changed" in CHANGELOG.md, remove the folder of the releases that do not fit any more, and record
 *   histories of this version: RECORD_HISTORIES=1 npx vitest run test/workflows/kept-histories.test.ts
 */
test('histories of every release replay', async () => {
  if (process.env.RECORD_HISTORIES) await record(`${folder}/${manifest.version}`);
  const releases = await readdir(folder);
  expect(releases).toContain(manifest.version);
  for (const release of releases) {
    const files = await readdir(`${folder}/${release}`);
    expect(files.length).toBeGreaterThan(2);
    const histories = await Promise.all(
      files.map(async (file) => ({
        workflowId: decodeURIComponent(file.replace('.json.gz', '')),
        history: historyFromJSON(JSON.parse(gunzipSync(await readFile(`${folder}/${release}/${file}`)).toString())),
      })),
    );
    expect(await failedReplays(histories), `of release ${release}; see the words above this test`).toEqual([]);
  }
});

/** A batch of two slices with rows that wait, are canceled, and are delivered. */
async function record(into: string): Promise<void> {
  const scene = await startScene({ server: 'dev', rowsPerSlice: 3, studio: { jobSeconds: 1 } });
  onTestFinished(() => scene.close());
  const rows = ['a', 'b', 'c', 'd', 'e'];
  const batchId = await scene.making(
    rows.map((row) => brief(row)),
    { maxInFlight: 2 },
  );
  await scene.inState(batchId, 'a', 'running');
  await scene.cancel(batchId, ['e']);
  await scene.nudge(batchId);
  expect(await scene.result(batchId)).toBe('closed');
  await mkdir(into, { recursive: true });
  for (const { workflowId, history } of await historiesFrom(scene.env.client, scene.names.batch(batchId))) {
    const file = `${into}/${encodeURIComponent(workflowId)}.json.gz`;
    const text = historyToJSON(history).replaceAll(/"identity":\s*"[^"]*"/g, '"identity":"a worker"'); // not this machine's name
    await writeFile(file, gzipSync(text, { level: 9 }));
  }
}
