import { ledgerName } from '../domain/ledger-name.js';

/** What the rest of the product needs in order to reach a workflow, without loading workflow code. */

/** Something changed in the ledger: look now instead of later. Carries nothing. */
export const nudgeSignal = 'nudge';

/** A movie of the slice is due: its follower looks now. Rows that wait for room hear nothing of it. */
export const followSignal = 'follow';

/** Rows that were settled came back to life, by a person's word or a late answer: take them up. Carries nothing. */
export const takeUpSignal = 'takeUp';

/**
 * More or fewer movies may be in progress. To a batch it carries nothing: the ledger says how many. To a slice it
 * carries how many rows it may have in the making side by side.
 */
export const limitSignal = 'limit';

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

/** What the work of one ledger is called in Temporal. */
export interface LedgerNames {
  /** Workflows and activities. Most of these start on the worker that asked for them, past the queue and its rate. */
  readonly workflowQueue: string;
  /** Orders that keep to a rate: a queue of their own, from which the server hands out each one. */
  readonly orderQueue: string;
  /** The schedule, and the workflow that it starts. */
  readonly reconcile: string;
  batch(batchId: string): string;
  slice(batchId: string, slice: number, start: number): string;
}

/** Every name has the ledger in it, so that several ledgers share a namespace without meeting. */
export function namesOf(ledgerId: string): LedgerNames {
  const ledger = ledgerName(ledgerId);
  return {
    workflowQueue: `greenlight-${ledger}`,
    orderQueue: `greenlight-${ledger}-order`,
    reconcile: `${ledger}/reconcile`,
    batch: (batchId) => `${ledger}/batch/${batchId}`,
    slice: (batchId, slice, start) => `${ledger}/slice/${batchId}/${slice}.${start}`,
  };
}
