import { expect, test } from 'vitest';
import { thinned, ticksTo } from '../../../web/charts/ticks.js';

test.each([
  [0, [0]],
  [1, [0, 1]],
  [7, [0, 2, 4, 6, 8]],
  [100, [0, 20, 40, 60, 80, 100]],
  [1_999_950, [0, 500_000, 1_000_000, 1_500_000, 2_000_000]],
])('ticks up to %d are round, whole and reach it', (most, ticks) => {
  expect(ticksTo(most)).toEqual(ticks);
});

test('a long list is thinned evenly, and keeps its ends', () => {
  expect(thinned([1, 2, 3], 5)).toEqual([1, 2, 3]);
  expect(
    thinned(
      Array.from({ length: 101 }, (_, index) => index),
      5,
    ),
  ).toEqual([0, 25, 50, 75, 100]);
});
