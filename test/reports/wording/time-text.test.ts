import { describe, expect, test } from 'vitest';
import { formatClock, formatTime } from '../../../reports/wording/time-text.js';

describe('times', () => {
  test('are local and say their offset, so that they name one moment', () => {
    const atMs = Date.UTC(2026, 10, 28, 13, 2, 11);
    expect(formatTime(atMs)).toMatch(/^2026-11-2\dT\d\d:\d\d:11[+-]\d\d:\d\d$/);
    expect(Date.parse(formatTime(atMs))).toBe(atMs);
    expect(formatTime(atMs)).toContain(formatClock(atMs));
  });
});
