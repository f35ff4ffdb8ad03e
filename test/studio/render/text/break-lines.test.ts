import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { breakLines, piecesOf } from '../../../../studio/render/text/break-lines.js';

/** Every character is as wide as 10 pixels. */
const measure = (text: string) => [...text].length * 10;
const broken = (text: string, width: number) => breakLines(text, { measure, width }).lines;
const withoutSpaces = (text: string) => text.replaceAll(/\s/gu, '');

describe('breakLines', () => {
  test('makes lines of about equal width', () => {
    expect(broken('one two three four five', 190)).toEqual(['one two three', 'four five']);
    expect(broken('Deep in the forest a fox waits.', 100)).toEqual(['Deep in', 'the forest', 'a fox', 'waits.']);
    expect(broken('alpha beta gamma delta x', 230)).toEqual(['alpha beta', 'gamma delta x']);
  });

  test('keeps closing marks on their line and opening ones with what they open', () => {
    const lines = broken('「朝の光、海の上。」小船が「静かに」進む。', 60);
    for (const line of lines) expect(line).not.toMatch(/^[、。」]|「$/u);
    expect(lines.join('')).toBe('「朝の光、海の上。」小船が「静かに」進む。');
  });

  test('breaks Chinese and Japanese without spaces', () => {
    expect(broken('夜明けの海を小さな船が静かに進んでいく', 100).length).toBeGreaterThan(1);
  });

  test.each([
    ['遠くの街がゆっくり目を覚ます。', ['遠くの', '街が', 'ゆっくり', '目を', '覚ます。']],
    ['子どもたちは走る', ['子どもたちは', '走る']],
    ['Tokyoの街から', ['Tokyoの', '街から']],
    ['今日も、いい一日になりそうだ。', ['今日も、', 'いい', '一日に', 'なりそうだ。']],
    ['コーヒーを飲みながら', ['コーヒーを', '飲みながら']],
    ['都庁前の桜が咲きました', ['都庁前の', '桜が', '咲きました']],
    ['晨光照在海面上，小船驶向远方', ['晨光', '照在', '海面上，', '小船驶向', '远方']],
  ])('keeps phrases together in %s', (text, pieces) => {
    expect(piecesOf(text).map((piece) => piece.text)).toEqual(pieces);
  });

  test('breaks after hyphens and slashes', () => {
    expect(broken('state-of-the-art', 90)).toEqual(['state-of-', 'the-art']);
  });

  test('cuts only what is wider than a line, between whole characters, and says so', () => {
    const { lines, cutsWords } = breakLines('supercalifragilistic 👩‍👩‍👧‍👦👩‍👩‍👧‍👦', { measure, width: 100 });
    expect(cutsWords).toBe(true);
    expect(lines.join('')).toContain('👩‍👩‍👧‍👦');
    expect(breakLines('short words', { measure, width: 100 }).cutsWords).toBe(false);
  });

  test('loses nothing and overflows nothing, whatever the text', () => {
    const texts = fc.array(fc.constantFrom('a', 'bb', 'ccc', 'a-b', '海', '、', '。', '「', ' ', 'wort', '😀', 'ة'), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(texts, fc.integer({ min: 50, max: 300 }), (parts, width) => {
        const text = parts.join('');
        const lines = broken(text, width);
        expect(withoutSpaces(lines.join(''))).toBe(withoutSpaces(text));
        for (const line of lines) expect(measure(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});
