import { describe, expect, test } from 'vitest';
import { readingSeconds } from '../../../../studio/render/plan/reading-time.js';
import { cleanText, sentencesOf } from '../../../../studio/render/plan/sentences.js';

describe('sentencesOf', () => {
  test.each([
    ['English', 'Dawn breaks. Who is there? Nobody!', ['Dawn breaks.', 'Who is there?', 'Nobody!']],
    ['Chinese', '晨光照在海上。小船出发了！', ['晨光照在海上。', '小船出发了！']],
    ['Japanese', '夜が明ける。船が進む。', ['夜が明ける。', '船が進む。']],
    ['Hindi', 'सुबह हुई। चलो चलें।', ['सुबह हुई।', 'चलो चलें।']],
    ['Arabic', 'كيف حالك؟ أنا بخير.', ['كيف حالك؟', 'أنا بخير.']],
    ['lines without full stops', 'Title\n\nFirst line\nSecond line', ['Title', 'First line', 'Second line']],
    ['abbreviations', 'Dr. Ito meets Mr. Bell. They talk.', ['Dr. Ito meets Mr. Bell.', 'They talk.']],
    ['numbers', 'It costs 3.50 euros. Cheap.', ['It costs 3.50 euros.', 'Cheap.']],
    ['marks on their own', 'Really? !!! Yes.', ['Really? !!!', 'Yes.']],
  ])('splits %s', (_, text, sentences) => {
    expect(sentencesOf(text)).toEqual(sentences);
  });

  test('a text without words has no sentences', () => {
    expect(sentencesOf(' \n\t\u0000 ')).toEqual([]);
  });
});

test('cleanText joins spaces, drops controls and composes letters', () => {
  expect(cleanText(' a\u00a0\u2003b\u0007c\r\n e\u0301 ')).toBe('a b c é');
});

describe('readingSeconds', () => {
  test('a Chinese character takes longer than a letter, a mark takes nothing', () => {
    expect(readingSeconds('海')).toBeGreaterThan(readingSeconds('s'));
    expect(readingSeconds('e\u0301')).toBe(readingSeconds('e'));
  });

  test('a line of 60 letters takes about five seconds', () => {
    expect(readingSeconds('x'.repeat(60))).toBeCloseTo(4.7, 5);
  });
});
