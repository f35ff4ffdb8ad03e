import { describe, expect, test } from 'vitest';
import { createBriefReview } from '../../../studio/render/review-brief.js';

const review = createBriefReview();
const reviewed = (prompt: string, more: { readonly durationSeconds?: number; readonly descriptions?: string[] } = {}) =>
  review({ prompt, durationSeconds: 10, descriptions: [], ...more });

describe('a brief is looked at before it is priced', () => {
  test.each(['...', '🚀🔥', '—', '[ ]'])('%s has no word', (prompt) => {
    expect(reviewed(prompt).problems).toEqual(['prompt: has no words; write a sentence']);
  });

  test('letters without a font are refused, with a few of them', () => {
    expect(reviewed('ᮘᮞ hello').problems).toEqual([
      'prompt: no font here draws "ᮘ" (U+1B98), "ᮞ" (U+1B9E); use another script',
    ]);
    expect(reviewed('ᬅᬓ᭄ᬱᬭᬩᬮᬶ').problems[0]).toMatch(/and \d+ more; use another script$/);
    expect(reviewed('A fox.', { descriptions: ['Mara', 'ᮘ'] }).problems).toEqual([
      'references[1].description: no font here draws "ᮘ" (U+1B98); use another script',
    ]);
  });

  test('signs without a font are left out, and that is said', () => {
    const { problems, assumptions } = reviewed('A fox \u{e000} waits.');
    expect(problems).toEqual([]);
    expect(assumptions).toEqual(['Symbols in the text that no font here has are left out']);
  });

  test('directions and a text that is too long for its film are said', () => {
    expect(reviewed('CUT TO: a fox.').assumptions).toEqual([
      'Directions in the brief are followed, and not shown as text',
    ]);
    expect(reviewed('A fox. No text on screen.').assumptions).toEqual([
      'No text is shown in the film, as the brief asks',
    ]);
    const long = 'A fox waits in the snow until the morning comes. '.repeat(12);
    expect(reviewed(long, { durationSeconds: 5 }).assumptions[0]).toMatch(/^The text is longer than can be read/);
    expect(reviewed(long, { durationSeconds: 60 }).assumptions).toEqual([]);
    // What is not shown need not be read.
    expect(reviewed(`${long}No text on screen.`, { durationSeconds: 5 }).assumptions).toEqual([
      'No text is shown in the film, as the brief asks',
    ]);
  });

  test('a plain brief has nothing to be said of', () => {
    expect(reviewed('A fox waits in the snow — 夜明けの海 🚀')).toEqual({ problems: [], assumptions: [] });
  });
});
