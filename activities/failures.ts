import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';

/** What an activity cannot do now, and when to try again. */
export interface Waiting {
  readonly for: string;
  readonly delayMs: number;
}

/** Longest pause between two looks at the ledger: what a lost signal can cost. */
const longestWaitMs = 5 * 60_000;

/**
 * Ends this attempt and asks Temporal for the next one after `delayMs`: how an activity waits for hours without holding
 * a slot. BENIGN keeps it out of error logs and metrics.
 *
 * @param type `Trouble` is shown to whoever asks why the batch does not go on; the course of a batch has other waits too
 */
export function notReady(
  message: string,
  delayMs: number,
  type: 'NotReady' | 'Trouble' = 'NotReady',
): ApplicationFailure {
  return ApplicationFailure.create({
    type,
    message,
    category: ApplicationFailureCategory.BENIGN,
    nextRetryDelay: waitMs(delayMs),
  });
}

/** A wait as Temporal takes it: whole milliseconds, and never so long that a change goes unnoticed. */
export function waitMs(delayMs: number): number {
  return Math.max(1, Math.min(Math.ceil(delayMs), longestWaitMs));
}
