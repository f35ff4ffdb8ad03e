/** What the rest of the product needs in order to reach a workflow, without loading workflow code. */

/** Something changed in the ledger: look now instead of later. Carries nothing. */
export const nudgeSignal = 'nudge';

/** A movie of the slice is due: its follower looks now. Rows that wait for room hear nothing of it. */
export const followSignal = 'follow';

/** A slice that keeps ending badly is given up on after so many tries; the reconcile workflow finds its rows. */
export const sliceTries = 5;

/** Workflows, the follower and the light activities. */
export const workflowQueue = 'greenlight';
/** Billable creates. A queue of its own, since it has its own rate and eager dispatch would ignore it. */
export const orderQueue = 'greenlight-order';

export function batchWorkflowId(batchId: string): string {
  return `batch/${batchId}`;
}

export function sliceWorkflowId(batchId: string, slice: number, attempt: number): string {
  return `slice/${batchId}/${slice}.${attempt}`;
}

export const reconcileWorkflowId = 'reconcile';
