import { describe, expect, test } from 'vitest';
import { formatDuration } from '../../../reports/wording/duration-text.js';

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
