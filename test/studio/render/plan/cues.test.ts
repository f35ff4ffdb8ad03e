import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cuesOf, webVtt } from '../../../../studio/render/plan/cues.js';

const letters = (text: string) => text.replaceAll(/\s/gu, '');

describe('captions', () => {
  test('a short text is one caption over its whole time', () => {
    expect(cuesOf({ start: 1, end: 4, text: 'Hello there.' })).toEqual([{ start: 1, end: 4, text: 'Hello there.' }]);
  });

  test('a long text is paged: every word is there, in order, at two lines a caption', () => {
    const words = fc.array(fc.constantFrom('light', 'falls', 'over', 'the', 'hill,', '海の', '光。', 'مرحبا', 'x'), {
      minLength: 1,
      maxLength: 400,
    });
    fc.assert(
      fc.property(words, (all) => {
        const text = all.join(' ');
        const cues = cuesOf({ start: 2, end: 30, text });
        expect(letters(cues.map((cue) => cue.text).join(''))).toBe(letters(text));
        for (const cue of cues) expect([...cue.text].length).toBeLessThanOrEqual(86);
        expect(cues[0]?.start).toBe(2);
        expect(cues.at(-1)?.end).toBeCloseTo(30, 9);
        for (const [index, cue] of cues.entries()) if (index > 0) expect(cue.start).toBe(cues[index - 1]?.end);
      }),
    );
  });

  test('the file is WebVTT with times in milliseconds and without markup', () => {
    const cues = [
      { start: 0, end: 1.0005, text: 'Fish & <chips>' },
      { start: 3_661.5, end: 3_662, text: 'a --> b' },
    ];
    const file = webVtt(cues, 'ltr');
    expect(file).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:01.001\nFish &amp; &lt;chips&gt;\n\n01:01:01.500 --> 01:01:02.000\na --&gt; b\n',
    );
  });

  test.each([
    ['rtl', 'Elder Tonic — מר, בהיר.', '\u200fElder Tonic — מר, בהיר.'],
    ['rtl', 'השמש זורחת.', 'השמש זורחת.'],
    ['rtl', 'Only in Jaffa.', 'Only in Jaffa.'],
    ['ltr', 'שלום is a greeting.', '\u200eשלום is a greeting.'],
    ['ltr', 'שלום!', 'שלום!'],
  ] as const)('a caption of a film in %s goes its way: %s', (direction, text, written) => {
    expect(webVtt([{ start: 0, end: 1, text }], direction)).toContain(`\n${written}\n`);
  });
});
