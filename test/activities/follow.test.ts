import { MockActivityEnvironment } from '@temporalio/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Ends } from '../../activities/activities.js';
import { type ActivityDeps, defaultPacing, type Pacing } from '../../activities/deps.js';
import { createFollow } from '../../activities/follow.js';
import type { Save } from '../../activities/saver.js';
import { ConnectionError } from '../../api/errors.js';
import type { MovieApi } from '../../api/movie-api.js';
import { defaultPolling } from '../../domain/polling.js';
import { readRow } from '../../ledger/batches/rows.js';
import { type Ledger, openLedger } from '../../ledger/ledger.js';
import { type Scene, setTheScene } from '../ledger/scene.js';

let ledger: Ledger;
let scene: Scene;
let batchId: string;
/** Movies of the service that have ended. */
const ended = new Set<string>();
/** Movies that the service takes a question about, and never answers. */
const silent = new Set<string>();
/** Movies that were asked about. */
let asked: string[];
const keys = Array.from({ length: 40 }, (_, index) => `m${index}`);

beforeEach(async () => {
  ended.clear();
  silent.clear();
  asked = [];
  ledger = await openLedger({ url: 'sqlite::memory:' });
  scene = setTheScene(ledger);
  await scene.fund('acme', 100_000);
  batchId = await scene.make(keys);
});
afterEach(() => ledger.close());

const atOnce: Pacing = { ...defaultPacing, patienceMs: 0, gatherMs: 0, trickleMs: 0 };

/** The follower of one worker, over a service whose movies took 10 s and say so. */
function follower(pacing = atOnce, save: Save = async () => null, newEnv = () => new MockActivityEnvironment()) {
  const getMovie = async (id: string, { signal }: { readonly signal: AbortSignal }) => {
    asked.push(id);
    if (silent.has(id)) await canceled(signal);
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
  return (seen: number) => newEnv().run(follow as (...args: unknown[]) => Promise<unknown>, batchId, 0, seen);
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

/** As a request ends that is given up. */
function canceled(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const detail = { operation: 'getMovie', sent: 'maybe', reason: 'aborted' } as const;
    signal.addEventListener('abort', () => reject(new ConnectionError('Cannot getMovie: it was canceled', detail)));
  });
}

test('movies that the service never answers for hold up no other', async () => {
  const ids = [];
  for (const key of keys) ids.push(await scene.order(batchId, key));
  // Each other one, from the first on: more than are asked about side by side.
  for (const [index, id] of ids.entries()) (index % 2 === 0 ? silent : ended).add(id);
  await ledger.db.updateTable('rows').set({ follow_ms: scene.nowMs }).where('state', '=', 'running').execute();
  const turn = follower({ ...atOnce, looksMs: 200 });
  const heard = new Set<string>();
  for (let seen = 0; heard.size < ids.length / 2;) {
    const answer = (await turn(seen)) as Ends;
    for (const { rowKey } of answer.ended) heard.add(rowKey);
    seen = answer.seen;
  }
  const { alarm } = await readRow(ledger, batchId, 'm0');
  expect(alarm).toBe('the service cannot be reached: it did not answer in time');
});

test('what was answered is kept where an attempt is ended', async () => {
  ended.add(await scene.order(batchId, 'm0'));
  const second = await scene.order(batchId, 'm1');
  silent.add(second);
  await ledger.db.updateTable('rows').set({ follow_ms: scene.nowMs }).where('state', '=', 'running').execute();
  const env = new MockActivityEnvironment();
  const attempt = follower(atOnce, undefined, () => env)(0).catch(() => 'ended');
  await expect.poll(() => asked).toContain(second);
  env.cancel(); // as after a time limit
  expect(await attempt).toBe('ended');
  const { state } = await readRow(ledger, batchId, 'm0');
  expect(state).toBe('archiving');
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
  const trickling = { ...atOnce, gatherMs: 1, trickleMs: 60_000 };
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

  test('are told within the time of an attempt also where rows wait for the place of one that took hours', async () => {
    ended.add(await scene.order(batchId, 'm1'));
    await scene.order(batchId, 'm10');
    scene.nowMs += 3 * 60 * 60_000;
    const answer = await follower({ ...trickling, trickleMs: 400 }, save)(0); // and not after 6 % of three hours
    expect(answer).toMatchObject({ ended: [{ rowKey: 'm1', next: 'settled' }] });
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
