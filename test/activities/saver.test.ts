import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ActivityDeps } from '../../activities/deps.js';
import { createSaver, type Save } from '../../activities/saver.js';
import { StorageError } from '../../archive/errors.js';
import { serviceDigest } from '../../domain/service.js';
import { type Ledger, openLedger } from '../../ledger/ledger.js';
import { archiveJob } from '../../ledger/progress/deliveries.js';
import { brief as newBrief, newRow, type Scene, setTheScene, studio } from '../ledger/scene.js';

let ledger: Ledger;
let scene: Scene;
let batchId: string;
let save: Save;
/** Saves that the archive was asked for, each with how it may end. */
let asked: { readonly finish: () => void; readonly signal: AbortSignal }[];

beforeEach(async () => {
  ledger = await openLedger({ url: 'sqlite::memory:' });
  scene = setTheScene(ledger);
  await scene.fund('acme', 100_000);
  batchId = await scene.make(['a']);
  await scene.order(batchId, 'a');
  await scene.look(batchId, 'a', 'completed');
  asked = [];
  const archive = (_: unknown, { signal }: { signal: AbortSignal }) =>
    new Promise((resolve, reject) => {
      const file = {
        assetId: 'asset_1',
        type: 'final_video',
        path: 'a/final.mp4',
        sizeBytes: 1,
        sha256: 'ab'.repeat(32),
      };
      asked.push({ signal, finish: () => resolve({ missing: false, files: [file], verdict: 'as ordered' }) });
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  save = saver(archive);
});
afterEach(() => ledger.close());

function saver(archive: (_: unknown, options: { signal: AbortSignal }) => Promise<unknown>): Save {
  const needed = { ledger, service: studio, clock: () => scene.nowMs, api: {}, archiver: { archive } };
  return createSaver(needed as unknown as ActivityDeps); // it orders and follows nothing
}

async function lostAfterMs(): Promise<number> {
  return (await archiveJob(ledger, { batchId, rowKey: 'a' }))?.lostAfterMs ?? 0;
}

const begun = (saves: number) => expect.poll(() => asked.length).toBe(saves);

test('the record says for which service and content the movie was ordered', async () => {
  let order: unknown;
  const keep = async (job: unknown) => {
    ({ order } = job as { order: unknown });
    throw new StorageError('full', 'ENOSPC');
  };
  await saver(keep)(batchId, 'a', new AbortController().signal);
  const { contentDigest } = newRow(newBrief('a'));
  expect(order).toEqual({ service: serviceDigest(studio), contentDigest });
  expect(serviceDigest(studio)).not.toBe(serviceDigest({ ...studio, baseUrl: 'https://movies.example/v1' }));
});

test('whoever asks for a movie that is being saved joins that save', async () => {
  const one = save(batchId, 'a', new AbortController().signal);
  await begun(1);
  const other = save(batchId, 'a', new AbortController().signal);
  asked[0]?.finish();
  expect(await Promise.all([one, other])).toEqual([null, null]);
  expect(asked).toHaveLength(1);
  expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'delivered' });
});

test('a save that is cut short by one who joined is begun again by the next, and is no alarm', async () => {
  const first = save(batchId, 'a', new AbortController().signal);
  await begun(1);
  const stop = new AbortController();
  const joined = save(batchId, 'a', stop.signal);
  stop.abort(new Error('the worker stops'));
  await expect(first).rejects.toThrow('the worker stops');
  await expect(joined).rejects.toThrow('the worker stops');
  expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'archiving', alarm: null });
  const next = save(batchId, 'a', new AbortController().signal);
  await begun(2);
  asked[1]?.finish();
  expect(await next).toBeNull();
});

test('a movie whose video is not listed is lost after the time that policy grants, and waits until then', async () => {
  const missing = saver(async () => ({ missing: true }));
  const { signal } = new AbortController();
  scene.nowMs = (await lostAfterMs()) - 1;
  expect(await missing(batchId, 'a', signal)).toEqual({ for: 'the final video is not there yet', delayMs: 1 });
  expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'archiving' });
  scene.nowMs += 1;
  expect(await missing(batchId, 'a', signal)).toBeNull();
  expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'lost', money: 'posted' });
});

test('a full disk never loses a movie, whatever time policy grants', async () => {
  const full = saver(async () => {
    throw new StorageError('Cannot save the files: the disk is full (ENOSPC)', 'ENOSPC');
  });
  scene.nowMs = (await lostAfterMs()) + 1;
  expect(await full(batchId, 'a', new AbortController().signal)).toMatchObject({ delayMs: 30_000 });
  const row = await scene.row(batchId, 'a');
  expect(row).toMatchObject({ state: 'archiving', alarm: 'Cannot save the files: the disk is full (ENOSPC)' });
});
