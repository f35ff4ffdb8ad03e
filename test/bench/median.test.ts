import { expect, test } from 'vitest';
import { median, medianText } from '../../bench/median.js';

test('the median is the middle of some numbers, and the lower middle of an even count', () => {
  expect(median([9, 100, 10])).toBe(10);
  expect(median([4, 1, 3, 2])).toBe(2);
});

test('of texts each figure is the median of its own, shown as it was', () => {
  expect(medianText(['0.3 / 1.9', '0.4 / 1.8', '0.40 / 1.1'])).toBe('0.4 / 1.8');
  expect(medianText(['10,000 movies: 9 %', '10,000 movies: 11 %', '10,000 movies: 10 %'])).toBe('10,000 movies: 10 %');
  expect(medianText(['1,204 ms', '998 ms', '10,001 ms'])).toBe('1,204 ms');
});

test('texts that say different things are shown beside each other', () => {
  expect(medianText(['12 ms', 'too slow', '12 ms'])).toBe('12 ms · too slow · 12 ms');
});
