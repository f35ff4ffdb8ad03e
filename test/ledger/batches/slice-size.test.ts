import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rowsOfSlice } from '../../../ledger/batches/slice-size.js';

/** Of one slice in the history of its batch: start, half and end, each with the workflow task that it wakes. */
const eventsOfSlice = 14;

test('slices have the rows that were asked for, and a batch of any size has a history under 5,000 events', () => {
  expect(rowsOfSlice(0, 100)).toBe(100);
  expect(rowsOfSlice(30_000, 100)).toBe(100);
  expect(rowsOfSlice(200_000, 100)).toBe(667);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200_000 }), fc.integer({ min: 1, max: 200 }), (rows, asked) => {
      expect(Math.ceil(rows / rowsOfSlice(rows, asked)) * eventsOfSlice).toBeLessThan(5_000);
    }),
  );
});
