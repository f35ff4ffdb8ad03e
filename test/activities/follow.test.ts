import { MockActivityEnvironment } from '@temporalio/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Ends } from '../../activities/activities.js';
import type { ActivityDeps, Pacing } from '../../activities/deps.js';
import { createFollow } from '../../activities/follow.js';
import type { Save } from '../../activities/saver.js';
import type { MovieApi } from '../../api/movie-api.js';
import { defaultPolling } from '../../domain/polling.js';
import { type Ledger, openLedger } from '../../ledger/ledger.js';
import { type Scene, setTheScene } from '../ledger/scene.js';

let ledger: Ledger;
let scene: Scene;
let batchId: string;
/** Movies of the service that have ended. */
const ended = new Set<string>();
const keys = Array.from({ length: 40 }, (_, index) => `m${index}`);

beforeEach(async () => {
  ended.clear();
  ledger = await openLedger({ url: 'sqlite::memory:' });
  scene = setTheScene(ledger);
  await scene.fund('acme', 100_000);
  batchId = await scene.make(keys);
});
afterEach(() => ledger.close());

/** The follower of one worker, over a service whose movies took 10 s and say so. */
function follower(pacing: Pacing = { patienceMs: 0, gatherMs: 0, trickleMs: 0 }, save: Save = async () => null) {
  const getMovie = async (id: string) => {
    const status = ended.has(id) ? 'completed' : 'rendering';
    return { id, status, created_at: '2026-11-28T12:00:00Z', updated_at: '2026-11-28T12:00:10Z' };
  };
  const needed: Pick<ActivityDeps, 'ledger' | 'api' | 'clock' | 'polling' | 'pacing'> = {
    ...{
      ledger,
      clock: () => scene.nowMs,
      polling: defaultPolling,
      pacing,
    },
    api: { getMovie } as unknown as MovieApi,
  };
  const follow = createFollow(needed as ActivityDeps, save); // it archives, reports and prices nothing
  return (seen: number) =>
    new MockActivityEnvironment().run(follow as (...args: unknown[]) => Promise<unknown>, batchId, 0, seen);
}

test('what one movie shows brings the looks at all others forward', async () => {
  for (const key of keys) ended.add(await scene.order(batchId, key));
  // As planned by an estimate of 30 s; one of them is looked at before.
  const due = (ms: number) => ledger.db.updateTable('rows').set({ follow_ms: scene.nowMs + ms });
  await due(30_000).execute();
  await due(10_500).where('row_key', '=', 'm7').execute();
  scene.nowMs += 11_000;
  const turn = follower();
  expect(await turn(0)).toMatchObject({ ended: [{ rowKey: 'm7', next: 'archive' }] });
  scene.nowMs += 1_000;
  expect(await turn(1)).toMatchObject({ seen: keys.length });
});

test('a follower that starts afresh plans by what the ledger knows', async () => {
  for (const key of keys) ended.add(await scene.order(batchId, key));
  const runTime = { from: 0.333, to: 0.334, ofPercent: null };
  await scene.look(batchId, 'm7', 'completed', { runTime });
  await ledger.db
    .updateTable('rows')
    .set({ follow_ms: scene.nowMs + 30_000 })
    .where('state', '=', 'running')
    .execute();
  await expect(follower()(1)).rejects.toThrow('no row of the slice ended yet');
  const { nextLookAtMs } = await scene.row(batchId, 'm20');
  expect((nextLookAtMs ?? 0) - scene.nowMs).toBeLessThan(12_000);
});

describe('movies that end one by one', () => {
  const trickling = { patienceMs: 0, gatherMs: 1, trickleMs: 60_000 };
  /** Those that the follower saved. */
  let saved: string[];
  const save: Save = async (_, rowKey) => {
    saved.push(rowKey);
    await scene.archive(batchId, rowKey);
    return null;
  };
  beforeEach(() => {
    saved = [];
  });

  test('are saved as they end, and the slice hears of them together when the last has ended', async () => {
    const ids = new Map<string, string>();
    for (const key of keys) ids.set(key, await scene.order(batchId, key));
    scene.nowMs += 60_000;
    const end = (key: string) => ended.add(ids.get(key) ?? '');
    end('m1');
    const turn = follower(trickling, save)(0);
    await expect.poll(() => saved).toEqual(['m1']);
    end('m2');
    await ledger.db.updateTable('rows').set({ follow_ms: scene.nowMs }).where('state', '=', 'running').execute();
    await expect.poll(() => saved).toEqual(['m1', 'm2']);
    for (const key of keys) end(key);
    await ledger.db.updateTable('rows').set({ follow_ms: scene.nowMs }).where('state', '=', 'running').execute();
    const answer = (await turn) as Ends;
    expect(answer.seen).toBe(keys.length);
    const settled = answer.ended.filter(({ next }) => next === 'settled').map(({ rowKey }) => rowKey);
    expect(settled.toSorted()).toEqual(['m1', 'm2']);
  });

  test('are told at once where rows wait for the place of a short one, and soon where they wait for that of a long one', async () => {
    const turns = [];
    for (const [key, tookMs] of [
      ['m1', 2_000],
      ['m2', 20_000],
    ] as const) {
      ended.add(await scene.order(batchId, key));
      await scene.order(batchId, `${key}0`);
      scene.nowMs += tookMs;
      turns.push(await follower(trickling, save)(turns.length));
    }
    expect(turns).toMatchObject([
      { ended: [{ rowKey: 'm1', next: 'archive' }] },
      { ended: [{ rowKey: 'm2', next: 'settled' }] },
    ]);
    expect(saved).toEqual(['m2']);
  });

  test('are told as late as suits a short one and a long one that ended together', async () => {
    for (const [key, tookMs] of [
      ['m1', 18_000],
      ['m2', 2_000],
    ] as const) {
      ended.add(await scene.order(batchId, key));
      scene.nowMs += tookMs;
    }
    await scene.order(batchId, 'm10');
    expect(await follower(trickling, save)(0)).toMatchObject({ ended: [{ next: 'settled' }, { next: 'settled' }] });
    expect(saved.toSorted()).toEqual(['m1', 'm2']);
  });

  test('that cannot be saved here are left to the slice', async () => {
    const ids = [];
    for (const key of keys) ids.push(await scene.order(batchId, key));
    ended.add(ids[1] ?? '');
    scene.nowMs += 60_000;
    const broken: Save = () => Promise.reject(new Error('a fault that nobody foresaw'));
    const answer = await follower({ ...trickling, trickleMs: 400 }, broken)(0);
    expect(answer).toMatchObject({ ended: [{ rowKey: 'm1', next: 'archive' }] });
  });
});
