import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
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

/** For whoever changed the code of the workflows. */
const whatToDo = `What a release left running does not replay by this code: at an upgrade such a batch is started again from
the ledger, which is safe and costs a minute each.
- Not meant? Put the steps of the workflow back into the order that they had, or keep the old way for old histories by
  "patched" of @temporalio/workflow.
- Meant? Say so under "Changed" in CHANGELOG.md, remove the folders of the releases that do not fit any more, and record
  histories of this version: RECORD_HISTORIES=1 npx vitest run test/workflows/kept-histories.test.ts`;

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
    expect(await failedReplays(histories), `Release ${release}. ${whatToDo}`).toEqual([]);
  }
});

/** A batch of two slices with rows that wait, are canceled, and are delivered; one that is canceled in Temporal; a look. */
async function record(into: string): Promise<void> {
  const scene = await startScene({ server: 'dev', rowsPerSlice: 3, studio: { jobSeconds: 1 } });
  onTestFinished(() => scene.close());
  const { client } = scene.env;
  const batchId = await scene.making(briefs('abcde'), { maxInFlight: 2 });
  await scene.inState(batchId, 'a', 'running');
  await scene.cancel(batchId, ['e']);
  await scene.nudge(batchId);
  expect(await scene.result(batchId)).toBe('closed');
  const canceled = await scene.making(briefs('fgh'), { maxInFlight: 1 });
  await scene.inState(canceled, 'f', 'running');
  await client.workflow.getHandle(scene.names.batch(canceled)).cancel();
  await scene.result(canceled).catch(() => undefined);
  expect(await scene.states(canceled)).toMatchObject({ h: 'canceled' });
  await scene.reconcile();

  await rm(into, { recursive: true, force: true });
  await mkdir(into, { recursive: true });
  for (const id of [scene.names.batch(batchId), scene.names.batch(canceled), scene.names.reconcile]) {
    for (const { workflowId, history } of await historiesFrom(client, id)) {
      const file = `${into}/${encodeURIComponent(workflowId)}.json.gz`;
      const text = historyToJSON(history).replaceAll(hostname(), 'a-machine');
      await writeFile(file, gzipSync(text, { level: 9 }));
    }
  }
}

function briefs(rows: string) {
  return [...rows].map((row) => brief(row));
}
