import type { Cut } from '../activities/activities.js';

/*
 * How many rows of a slice are in the making side by side, and how many slices: together at least as many as the limit
 * of the batch lets be in flight, whatever the size of its slices. The ledger keeps the limit itself, at every order.
 */

/** Where the limit has room for all slices of a batch and more, each takes its part of it. */
export function widthOf({ slices, rowsPerSlice, maxInFlight }: Cut): number {
  return Math.min(maxInFlight, Math.max(rowsPerSlice, Math.ceil(maxInFlight / slices)));
}

/** One more than fill the limit, so that an end leaves no gap. */
export function concurrentSlices({ rowsPerSlice, maxInFlight }: Cut): number {
  return Math.ceil(maxInFlight / Math.min(rowsPerSlice, maxInFlight)) + 1;
}
