/**
 * A slice costs the history of its batch some 14 events, and Temporal warns from 10,240 on: so many slices at most, be
 * there 200,000 rows.
 */
const mostSlices = 300;

/** Rows of a slice of a batch: as many as were asked for, or more where the batch would have too many slices. */
export function rowsOfSlice(rowsToOrder: number, rowsPerSlice: number): number {
  return Math.max(rowsPerSlice, Math.ceil(rowsToOrder / mostSlices));
}
