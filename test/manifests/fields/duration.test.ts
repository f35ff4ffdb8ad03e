import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDuration } from '../../../manifests/fields/duration.js';

describe('readDuration', () => {
  test.each([
    ['8', 8],
    ['08', 8],
    ['5', 5],
    ['120', 120],
    ['8s', 8],
    ['8 sec', 8],
    ['8 Seconds', 8],
    ['8.0', 8],
    ['8,0', 8],
    ['8.00', 8],
    ['0:08', 8],
    ['00:00:08', 8],
    ['1:30', 90],
    ['2:00', 120],
    ['90:00', null],
    ['1 min', 60],
    ['1m30s', 90],
    ['1 min 30 s', 90],
    ['１０', 10],
    [' 12 ', 12],
  ])('%j is %j', (text, seconds) => {
    const reading = readDuration(text);
    expect('seconds' in reading ? reading.seconds : null).toBe(seconds);
  });

  test.each([
    ['7,5', 'duration_whole'],
    ['7.5', 'duration_whole'],
    ['0,75', 'duration_whole'],
    ['120.5', 'duration_whole'],
    ['1,000', 'duration_ambiguous'],
    ['1.000', 'duration_ambiguous'],
    ['30,000 s', 'duration_ambiguous'],
    ['4', 'duration_range'],
    ['121', 'duration_range'],
    ['-8', 'duration_range'],
    ['0', 'duration_range'],
    ['00:08:00', 'duration_range'],
    ['NaN', 'duration_form'],
    ['1e1', 'duration_form'],
    ['Infinity', 'duration_form'],
    ['0x10', 'duration_form'],
    ['8;9', 'duration_form'],
    ['eight', 'duration_form'],
    ['1:75', 'duration_form'],
    ['1.2.3', 'duration_form'],
  ])('%j is refused as %s', (text, code) => {
    expect(readDuration(text)).toMatchObject({ trouble: { severity: 'error', code, before: text } });
  });

  test('gives whole seconds from 5 to 120, or says why not', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^-?\d{0,4}[.,:]?\d{0,4}\s?s?$/)), (text) => {
        const reading = readDuration(text);
        if ('trouble' in reading) return;
        expect(Number.isInteger(reading.seconds)).toBe(true);
        expect(reading.seconds).toBeGreaterThanOrEqual(5);
        expect(reading.seconds).toBeLessThanOrEqual(120);
      }),
      { numRuns: 2000 },
    );
  });

  test('every whole number of seconds is understood in each of its spellings', () => {
    for (let seconds = 5; seconds <= 120; seconds += 1) {
      const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
      for (const text of [`${seconds}`, `${seconds}s`, `${seconds},0`, `${seconds}.0`, clock, `0:0${clock}`]) {
        expect(readDuration(text), text).toEqual({ seconds });
      }
    }
  });
});
