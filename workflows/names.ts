/** What the rest of the product needs in order to reach a workflow, without loading workflow code. */

/** Something changed in the ledger: look now instead of later. Carries nothing. */
export const nudgeSignal = 'nudge';

/** A movie of the slice is due: its follower looks now. Rows that wait for room hear nothing of it. */
export const followSignal = 'follow';

/** From a slice to its batch: half of its movies have ended, the next slice finds room. Carries the slice's number. */
export const halfSignal = 'half';

/** A slice that keeps ending badly is given up on after so many tries; the reconcile workflow finds its rows. */
export const sliceTries = 5;

/** Starts of one slice at most: its tries, and those after its code was changed under it, which cost none of them. */
export const sliceStarts = 2 * sliceTries;

/** Whether a failure says that a workflow's history does not fit the code that it was replayed by. */
export function isUnreplayable(message: string): boolean {
  return message.includes('TMPRL1100');
}

/** Workflows and activities. Most of these start on the worker that asked for them, past the queue and its rate. */
export const workflowQueue = 'greenlight';
/** Orders that keep to a rate: a queue of their own, from which the server hands out each one. */
export const orderQueue = 'greenlight-order';

export function batchWorkflowId(batchId: string): string {
  return `batch/${batchId}`;
}

export function sliceWorkflowId(batchId: string, slice: number, attempt: number): string {
  return `slice/${batchId}/${slice}.${attempt}`;
}

export const reconcileWorkflowId = 'reconcile';
