import { readBatch } from '../ledger/batches/batches.js';
import { rowsOfSlice } from '../ledger/batches/slice-size.js';
import { openRows, sliceBatch, sliceRows, slicesBegun } from '../ledger/batches/slices.js';
import { sealBatch } from '../ledger/plan/seal.js';
import { requestCancel } from '../ledger/progress/cancels.js';
import { batchStateWords } from '../reports/wording/state-words.js';
import type { Activities } from './activities.js';
import { createArchive } from './archive.js';
import type { ActivityDeps } from './deps.js';
import { createFollow } from './follow.js';
import { withHeartbeats } from './heartbeats.js';
import { createOrder } from './order.js';
import { onlyOwnBatches } from './own-service.js';
import { createPreparePage } from './prepare-page.js';
import { createReconcile } from './reconcile.js';
import { createSaver } from './saver.js';
import { createSettle } from './settle.js';
import { startedAgain } from './started-again.js';
import { tell } from './tell.js';
import { createAdmit, createGate } from './wait-for-ledger.js';

/** Who acts where no person does: Temporal's own tools, which only say that somebody cancelled. */
const system = { name: 'temporal', roles: ['operator'], channel: 'system' } as const;

/** All side effects of the workflows, over one set of dependencies. */
export function createActivities(deps: ActivityDeps): Activities {
  const { ledger, clock, rowsPerSlice, maxInFlight } = deps;
  const save = createSaver(deps);
  const activities: Activities = {
    preparePage: createPreparePage(deps),
    seal: (batchId) =>
      withHeartbeats(async () => {
        const { state } = await sealBatch(ledger, { batchId });
        tell(deps, {
          batchId,
          rowKey: null,
          kind: 'priced',
          detail: state === 'waiting' ? 'waits for approval' : batchStateWords[state],
        });
        return state;
      }),
    gate: createGate(deps),
    cutSlices: (batchId) =>
      withHeartbeats(async () => {
        const { campaign, settings, rowsToOrder } = await readBatch(ledger, batchId);
        const cut = await sliceBatch(ledger, { batchId, sliceRows: rowsOfSlice(rowsToOrder, rowsPerSlice) });
        const standing = { campaign, priority: settings.priority ?? null };
        const begun = await slicesBegun(ledger, { batchId });
        return { ...cut, ...standing, maxInFlight: cut.maxInFlight ?? maxInFlight, rowsPerSlice, begun };
      }),
    openSlices: (batchId) =>
      withHeartbeats(async () => (await openRows(ledger, { batchId })).map(({ slice }) => slice)),
    openSlice: (batchId, slice) =>
      withHeartbeats(async () => ({
        rowKeys: (await sliceRows(ledger, { batchId, slice })).rowKeys,
        paced: deps.ordersPerSecond !== null,
      })),
    order: createOrder(deps),
    admit: createAdmit(deps),
    follow: createFollow(deps, save),
    archive: createArchive(save),
    noteUnreplayable: (batchId, slice) =>
      startedAgain(deps, {
        batchId,
        reason: `slice ${slice} could not go on with this version of the worker, and was started again`,
      }),
    requestCancel: (batchId, reason) =>
      withHeartbeats(async () => {
        await requestCancel(ledger, { batchId, rowKeys: 'all', actor: system, reason, nowMs: clock() });
      }),
    settle: createSettle(deps),
    reconcile: createReconcile(deps),
  };
  return onlyOwnBatches(activities, deps);
}
