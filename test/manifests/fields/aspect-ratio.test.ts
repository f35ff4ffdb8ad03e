import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AspectRatio, aspectRatios } from '../../../domain/brief.js';
import { readAspectRatio } from '../../../manifests/fields/aspect-ratio.js';
import { readRatioList } from '../../../manifests/fields/ratio-list.js';

const partsOf = (ratio: AspectRatio) => ratio.split(':').map(Number) as [number, number];
const two = (value: number) => String(value).padStart(2, '0');

/** The forms in which a spreadsheet, or a tool after it, writes the time of day that it made of a ratio. */
function timesOf(ratio: AspectRatio): readonly string[] {
  const [hour, minute] = partsOf(ratio);
  const half = hour >= 12 ? 'PM' : 'AM';
  const short = hour % 12 === 0 ? 12 : hour % 12;
  const minutes = hour * 60 + minute;
  const fraction = minutes / 1440;
  return [
    `${two(hour)}:${two(minute)}`,
    `${hour}:${two(minute)}:00`,
    `${two(hour)}:${two(minute)}:00`,
    `${two(hour)}:${two(minute)}:00.000`,
    `${two(short)}:${two(minute)}:00 ${half}`,
    `${short}:${two(minute)} ${half}`,
    `${short}:${two(minute)}${half.toLowerCase()}`,
    `${short}:${two(minute)}:00\u202f${half}`,
    `${short}:${two(minute)} ${half === 'PM' ? 'p. m.' : 'a. m.'}`,
    `${half === 'PM' ? '下午' : '上午'}${short}:${two(minute)}`,
    `${half === 'PM' ? '오후' : '오전'} ${short}:${two(minute)}:00`,
    `${two(hour)}.${two(minute)}.00`,
    `${two(hour)}h${two(minute)}`,
    `1899-12-30 ${two(hour)}:${two(minute)}:00`,
    `1899-12-31T${two(hour)}:${two(minute)}:00.000Z`,
    `1900-01-00 ${two(hour)}:${two(minute)}:00`,
    `${minutes}`,
    `${minutes}.0`,
    `${fraction}`,
    fraction.toFixed(15),
    fraction.toFixed(5),
    fraction.toFixed(9).replace('.', ','),
    fraction.toExponential(10).toUpperCase(),
  ];
}

const repaired = aspectRatios.flatMap((ratio) => timesOf(ratio).map((text) => [text, ratio] as const));

describe('readAspectRatio', () => {
  test.each([
    ['16:9', '16:9'],
    ['16x9', '16:9'],
    ['16X9', '16:9'],
    ['16/9', '16:9'],
    ['16×9', '16:9'],
    ['16 : 9', '16:9'],
    ['９：１６', '9:16'],
    ['1:1', '1:1'],
    ['4/5', '4:5'],
    ['Landscape', '16:9'],
    ['portrait', '9:16'],
    ['SQUARE', '1:1'],
  ])('%j is %s, and no repair', (text, ratio) => {
    expect(readAspectRatio(text)).toEqual({ ratio, repaired: false });
  });

  test.each(repaired)('%j is repaired to %s', (text, ratio) => {
    expect(readAspectRatio(text)).toEqual({ ratio, repaired: true });
  });

  test.each([
    ['21:9', 'ratio_unknown'],
    ['2:1', 'ratio_unknown'],
    ['1920x1080', 'ratio_unknown'],
    ['wide', 'ratio_unknown'],
    ['500', 'ratio_unknown'],
    ['21:09', 'ratio_time'],
    ['4:09 AM', 'ratio_time'],
    ['04:05 PM', 'ratio_time'],
    ['16:09:30', 'ratio_time'],
    ['0.5', 'ratio_unknown'],
    ['09/16/2026', 'ratio_date'],
    ['2026-09-16 00:00:00', 'ratio_date'],
    ['16. Sep', 'ratio_date'],
    ['Sep-16', 'ratio_date'],
    ['16.09.2026', 'ratio_date'],
  ])('%j is refused as %s', (text, code) => {
    expect(readAspectRatio(text)).toMatchObject({ trouble: { severity: 'error', code, before: text } });
  });

  test('of all times of day only the four are taken for a ratio', () => {
    const known = new Set(aspectRatios.map((ratio) => partsOf(ratio)[0] * 60 + partsOf(ratio)[1]));
    for (let minutes = 0; minutes < 1440; minutes += 1) {
      const time = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:00`;
      for (const text of [time, `1899-12-30 ${time}`, `${minutes / 1440}`]) {
        const reading = readAspectRatio(text);
        expect('ratio' in reading, text).toBe(known.has(minutes));
      }
    }
  });

  test('answers whatever the cell holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const reading = readAspectRatio(text);
        expect('ratio' in reading || reading.trouble.severity === 'error').toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('readRatioList', () => {
  test('keeps the parts that it cannot repair', () => {
    const { ratios, repaired: written, troubles } = readRatioList(['16:09', 'wide', '1:1']);
    expect(ratios).toEqual(['16:9', '1:1']);
    expect(written).toEqual(['16:9', 'wide', '1:1']);
    expect(troubles.map(({ code }) => code)).toEqual(['ratio_repaired', 'ratio_unknown']);
  });

  test('refuses a ratio that appears twice', () => {
    const { troubles } = readRatioList(['16:9', '16x9']);
    expect(troubles).toMatchObject([{ severity: 'error', code: 'ratio_twice' }]);
  });
});
