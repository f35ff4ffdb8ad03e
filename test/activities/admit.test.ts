import { MockActivityEnvironment } from '@temporalio/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ActivityDeps, defaultPacing } from '../../activities/deps.js';
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
async function admit(batchId: string, refusals: number, attempt: number): Promise<unknown> {
  const needed: Pick<ActivityDeps, 'ledger' | 'pacing'> = {
    ledger,
    pacing: { ...defaultPacing, patienceMs: 0, gatherMs: 0, trickleMs: 0 },
  };
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
