import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rowsOfSlice } from '../../ledger/batches/slice-size.js';
import { concurrentSlices, widthOf } from '../../workflows/slice-width.js';

/** As the activity answers for a batch of so many rows. */
function cutOf({ rows, rowsPerSlice, maxInFlight }: { rows: number; rowsPerSlice: number; maxInFlight: number }) {
  const sliceRows = rowsOfSlice(rows, rowsPerSlice);
  const cut = { slices: Math.ceil(rows / sliceRows), rowsPerSlice, maxInFlight, campaign: 'spring', priority: null };
  return { cut, sliceRows };
}

test.each([
  { rows: 1_000, rowsPerSlice: 100, maxInFlight: 500, width: 100, slices: 6 },
  { rows: 60, rowsPerSlice: 100, maxInFlight: 20, width: 20, slices: 2 },
  { rows: 50_000, rowsPerSlice: 100, maxInFlight: 50_000, width: 167, slices: 501 },
  { rows: 200_000, rowsPerSlice: 100, maxInFlight: 10_000, width: 100, slices: 101 },
])('$rows rows, at most $maxInFlight in flight: $width of a slice, $slices slices', ({ width, slices, ...batch }) => {
  const { cut } = cutOf(batch);
  expect({ width: widthOf(cut), slices: concurrentSlices(cut) }).toEqual({ width, slices });
});

test('slices side by side fill the limit, whatever it and their size are', () => {
  const number = (max: number) => fc.integer({ min: 1, max });
  fc.assert(
    fc.property(number(200_000), number(1_000), number(50_000), (rows, rowsPerSlice, maxInFlight) => {
      const { cut, sliceRows } = cutOf({ rows, rowsPerSlice, maxInFlight });
      const together = Math.min(concurrentSlices(cut), cut.slices) * Math.min(widthOf(cut), sliceRows);
      expect(together).toBeGreaterThanOrEqual(Math.min(maxInFlight, rows));
    }),
  );
});
