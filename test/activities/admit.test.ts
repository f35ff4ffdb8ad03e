import { setTimeout as sleep } from 'node:timers/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ActivityDeps, defaultPacing, type Pacing } from '../../activities/deps.js';
import { createAdmit } from '../../activities/wait-for-ledger.js';
import { type Ledger, openLedger } from '../../ledger/ledger.js';
import { type Scene, setTheScene } from '../ledger/scene.js';

let ledger: Ledger;
let scene: Scene;
beforeEach(async () => {
  ledger = await openLedger({ url: 'sqlite::memory:' });
  scene = setTheScene(ledger);
  await scene.fund('acme', 100_000);
});
afterEach(() => ledger.close());

/** How the look ends: with room, or with a wait of so many milliseconds. */
async function admit(
  batchId: string,
  refusals: number,
  attempt: number,
  pacing: Pacing = { ...defaultPacing, patienceMs: 0, gatherMs: 0, trickleMs: 0 },
): Promise<unknown> {
  const needed: Pick<ActivityDeps, 'ledger' | 'pacing'> = { ledger, pacing };
  const look = createAdmit(needed as ActivityDeps); // it reads the ledger alone
  const environment = new MockActivityEnvironment({ attempt });
  try {
    return await environment.run(look as (...args: unknown[]) => Promise<unknown>, batchId, 0, refusals);
  } catch (error) {
    return { waitMs: (error as { nextRetryDelay?: unknown }).nextRetryDelay };
  }
}

test('where rows go on in vain, one after the other, the ledger is looked at later and later, and then answers', async () => {
  const batchId = await scene.make(['a', 'b']);
  await ledger.db.updateTable('batches').set({ max_in_flight: 2 }).execute();
  const waits = [0, 1, 2, 3, 6, 100].map((refusals) => admit(batchId, refusals, 1));
  expect(await Promise.all(waits)).toEqual([
    2,
    2,
    { waitMs: 1_000 },
    { waitMs: 2_000 },
    { waitMs: 5_000 },
    { waitMs: 5_000 },
  ]);
  expect(await admit(batchId, 100, 2)).toBe(2);
});

test('room that grows is waited for until it no longer does, or is enough', async () => {
  const batchId = await scene.make(['a', 'b', 'c']);
  const limit = (most: number) => ledger.db.updateTable('batches').set({ max_in_flight: most }).execute();
  await limit(1);
  const gathered = admit(batchId, 0, 1, defaultPacing);
  await sleep(50); // it has looked once
  await limit(2);
  expect(await gathered).toBe(2);
  await limit(3);
  expect(await admit(batchId, 0, 1, defaultPacing)).toBe(3);
  await limit(100);
  expect(await admit(batchId, 0, 1, defaultPacing)).toBe(100);
});
