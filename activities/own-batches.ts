import { readBatch } from '../ledger/batches/batches.js';
import type { Activities } from './activities.js';
import type { ActivityDeps } from './deps.js';
import { notReady } from './failures.js';
import { withHeartbeats } from './heartbeats.js';

/** Until somebody starts a worker for the service that the batch belongs to. */
const otherServiceWaitMs = 60_000;

/**
 * Keeps the activities to batches of this worker's own movie service. After a change of configuration the server still
 * hands out work on batches of the service before: a movie id of one service means nothing, or another movie, at the
 * other.
 */
export function onlyOwnBatches(activities: Activities, { ledger, service }: ActivityDeps): Activities {
  const own = new Set<string>();
  async function check(batchId: string): Promise<void> {
    if (own.has(batchId)) return;
    const { service: its } = await readBatch(ledger, batchId);
    if (its.name !== service.name || its.baseUrl !== service.baseUrl) {
      throw notReady(
        `batch ${batchId} belongs to ${its.name}, this worker orders from ${service.name}`,
        otherServiceWaitMs,
        'Trouble',
      );
    }
    own.add(batchId);
  }
  const { reconcile, ...ofBatches } = activities;
  const guarded = Object.entries(ofBatches).map(([name, activity]) => [
    name,
    async (batchId: string, ...rest: unknown[]) => {
      await withHeartbeats(() => check(batchId));
      return (activity as (...args: unknown[]) => Promise<unknown>)(batchId, ...rest);
    },
  ]);
  return { ...(Object.fromEntries(guarded) as Omit<Activities, 'reconcile'>), reconcile }; // same names and signatures
}
