import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultPolling, nextLookMs } from '../../domain/polling.js';

const { floorMs, ceilingMs } = defaultPolling;

describe('nextLookMs', () => {
  test('looks first when the estimate says that the movie is done', () => {
    expect(nextLookMs({ ageMs: 0, expectedMs: 20_000, percent: null, jitter: 0 })).toBe(20_000);
  });

  test('caps the first look at the ceiling, so that a wrong estimate costs a minute', () => {
    expect(nextLookMs({ ageMs: 0, expectedMs: 6 * 3_600_000, percent: null, jitter: 0 })).toBe(ceilingMs);
  });

  test('follows the percent once the service shows one', () => {
    expect(nextLookMs({ ageMs: 30_000, expectedMs: 20_000, percent: 75, jitter: 0 })).toBe(10_000);
    expect(nextLookMs({ ageMs: 10_000, expectedMs: 20_000, percent: 10, jitter: 0 })).toBe(10_000);
  });

  test('backs off with age where neither estimate nor percent helps', () => {
    expect(nextLookMs({ ageMs: 8_000, expectedMs: 0, percent: null, jitter: 0 })).toBe(2_000);
    expect(nextLookMs({ ageMs: 80_000, expectedMs: 0, percent: 0, jitter: 0 })).toBe(20_000);
    expect(nextLookMs({ ageMs: 30_000, expectedMs: 0, percent: 100, jitter: 0 })).toBe(7_500);
  });

  test('parts movies of one burst by a tenth of the wait, and by no more than a second', () => {
    const wait = (expectedMs: number, jitter: number) => nextLookMs({ ageMs: 0, expectedMs, percent: null, jitter });
    expect([wait(4_000, 0.5), wait(4_000, 1)]).toEqual([4_200, 4_400]);
    expect([wait(30_000, 0.5), wait(30_000, 1)]).toEqual([30_500, 31_000]);
  });

  test('stays between floor and ceiling, jitter apart, whatever the service says', () => {
    const input = fc.record({
      ageMs: fc.nat(1e9),
      expectedMs: fc.nat(1e9),
      percent: fc.option(fc.integer({ min: 0, max: 100 })),
      jitter: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(input, (movie) => {
        const wait = nextLookMs(movie);
        expect(wait).toBeGreaterThanOrEqual(floorMs);
        expect(wait).toBeLessThanOrEqual(ceilingMs + 1_000);
      }),
    );
  });
});
