import { describe, expect, test } from 'vitest';
import { formatClock, formatDuration, formatTime } from '../../../reports/wording/time-text.js';

describe('durations', () => {
  test.each([
    [-5, '0 s'],
    [0, '0 s'],
    [59_900, '59 s'],
    [60_000, '1 min'],
    [200_000, '3 min 20 s'],
    [599_000, '9 min 59 s'],
    [41 * 60_000 + 30_000, '41 min'],
    [3_599_000, '59 min'],
    [3_600_000, '1 h'],
    [7_500_000, '2 h 5 min'],
    [86_400_000 * 2 + 3_600_000 * 3, '2 d 3 h'],
  ])('%i ms are %s', (durationMs, text) => {
    expect(formatDuration(durationMs)).toBe(text);
  });
});

describe('times', () => {
  test('are local and say their offset, so that they name one moment', () => {
    const atMs = Date.UTC(2026, 10, 28, 13, 2, 11);
    expect(formatTime(atMs)).toMatch(/^2026-11-2\dT\d\d:\d\d:11[+-]\d\d:\d\d$/);
    expect(Date.parse(formatTime(atMs))).toBe(atMs);
    expect(formatTime(atMs)).toContain(formatClock(atMs));
  });
});
