import { expect, test } from 'vitest';
import { retryAfterMs } from '../../../domain/answers/retry-after.js';

const now = Date.parse('2026-11-03T10:00:00Z');

test.each([
  ['7', 7_000],
  [' 7 ', 7_000],
  ['0', 0],
  ['Tue, 03 Nov 2026 10:00:30 GMT', 30_000],
  ['Tuesday, 03-Nov-26 10:00:30 GMT', 30_000],
  ['Tue Nov  3 10:00:30 2026 GMT', 30_000],
  ['Tue, 03 Nov 2026 09:59:00 GMT', 0],
  ['99999999999999999999', 86_400_000],
  ['Fri, 31 Dec 9999 23:59:59 GMT', 86_400_000],
  ['', null],
  ['-5', null],
  ['1.5', null],
  ['soon', null],
  ['2026', 2_026_000],
  [null, null],
])('Retry-After %j asks for %j ms', (value, expected) => {
  expect(retryAfterMs(value, now)).toBe(expected);
});
