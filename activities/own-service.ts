import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { isOfLedger, ledgerName } from '../domain/ledger-name.js';
import { readBatch } from '../ledger/batches/batches.js';
import type { Activities } from './activities.js';
import type { ActivityDeps } from './deps.js';
import { notReady } from './failures.js';
import { withHeartbeats } from './heartbeats.js';
import { tell } from './tell.js';

/** Until somebody starts a worker for the service that the batch belongs to. */
const otherServiceWaitMs = 60_000;

/**
 * Keeps the activities to work of this worker's own ledger and movie service. Names in Temporal keep ledgers apart
 * already; that nothing of another ledger is touched does not rest on names alone. And after a change of configuration
 * the server still hands out work on batches of the service before: a movie id of one service means nothing, or another
 * movie, at the other.
 */
export function onlyOwnBatches(activities: Activities, deps: ActivityDeps): Activities {
  const { ledger, service } = deps;
  const own = new Set<string>();
  async function checkService(batchId: string): Promise<void> {
    if (own.has(batchId)) return;
    const { service: its } = await readBatch(ledger, batchId);
    if (its.name !== service.name || its.baseUrl !== service.baseUrl) {
      const why = `batch ${batchId} belongs to ${its.name}, this worker orders from ${service.name}`;
      tell(deps, { batchId, rowKey: null, kind: 'waits', detail: why });
      throw notReady(why, otherServiceWaitMs, 'Trouble');
    }
    own.add(batchId);
  }
  const { reconcile, ...ofBatches } = activities;
  const guarded = Object.entries(ofBatches).map(([name, activity]) => [
    name,
    async (batchId: string, ...rest: unknown[]) => {
      refuseOtherLedger(ledger.id);
      await withHeartbeats(() => checkService(batchId));
      return (activity as (...args: unknown[]) => Promise<unknown>)(batchId, ...rest);
    },
  ]);
  return {
    ...(Object.fromEntries(guarded) as Omit<Activities, 'reconcile'>), // same names and signatures
    async reconcile() {
      refuseOtherLedger(ledger.id);
      return reconcile();
    },
  };
}

/** @throws ApplicationFailure "OtherLedger", which no attempt repeats. */
function refuseOtherLedger(ledgerId: string): void {
  const { workflowId = '' } = Context.current().info.workflowExecution ?? {};
  if (isOfLedger(workflowId, ledgerId)) return;
  const own = `${ledgerName(ledgerId)}/`;
  const says = `Cannot work on ${workflowId}: it is not of this worker's ledger, whose workflows begin with ${own}`;
  throw ApplicationFailure.nonRetryable(says, 'OtherLedger');
}
