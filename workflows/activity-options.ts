import { ActivityCancellationType, type ActivityOptions } from '@temporalio/workflow';

/**
 * How activities are tried again and cancelled. Every proxy names its cancellation type: left out it means
 * "forget the running attempt", which would lose the movie id of a create.
 *
 * No limit on attempts: our own faults (a full disk, the database away) are tried until they are gone, and what the
 * service says is an outcome, not a failure.
 */
const retry = { initialInterval: '1s', maximumInterval: '30s', backoffCoefficient: 2 } as const;
const finish = ActivityCancellationType.WAIT_CANCELLATION_COMPLETED;

/**
 * A worker that was killed is given up after so long, and its work goes on elsewhere. The sign of life comes every few
 * seconds from a timer of the process; the longer time is for work during which one statement may keep that waiting.
 */
const missed = '10s';
const missedByLongStatement = '20s';

/** Orders of a few rows: a request each to the service, side by side, and their records. */
export const work: ActivityOptions = {
  startToCloseTimeout: '2m',
  heartbeatTimeout: missed,
  cancellationType: finish,
  retry,
};
/** The files of a few movies. */
export const download: ActivityOptions = {
  startToCloseTimeout: '1h',
  heartbeatTimeout: missed,
  cancellationType: finish,
  retry,
};
/** A page of uploads and estimates, or the books of a whole batch and its reports. */
export const longWork: ActivityOptions = {
  startToCloseTimeout: '1h',
  heartbeatTimeout: missedByLongStatement,
  cancellationType: finish,
  retry,
};
/** The ledger only. */
export const light: ActivityOptions = {
  startToCloseTimeout: '1m',
  heartbeatTimeout: missedByLongStatement,
  cancellationType: finish,
  retry,
};
/** Waits by reading the ledger; may be started afresh at any time. */
export const watch: ActivityOptions = {
  startToCloseTimeout: '2m',
  heartbeatTimeout: missed,
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  retry,
};
