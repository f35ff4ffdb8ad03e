import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AspectRatio, aspectRatios } from '../../../../domain/brief.js';
import { frameSize } from '../../../../studio/render/frame-size.js';
import { lookFrom } from '../../../../studio/render/look/look.js';
import type { CastMember } from '../../../../studio/render/plan/casting.js';
import { type FilmPlan, planFilm } from '../../../../studio/render/plan/film-plan.js';
import { hanStyleOf } from '../../../../studio/render/text/face-finder.js';
import { FontCase } from '../../../../studio/render/text/font-case.js';
import { Typesetter } from '../../../../studio/render/text/typesetter.js';
import { scriptSamples } from '../text/script-samples.js';

interface Brief {
  readonly prompt: string;
  readonly durationSeconds?: number;
  readonly aspectRatio?: AspectRatio;
  readonly style?: string;
  readonly members?: readonly CastMember[];
}

function plan({ prompt, durationSeconds = 30, aspectRatio = '16:9', style = '', members = [] }: Brief): FilmPlan {
  const typesetter = new Typesetter(new FontCase(hanStyleOf(prompt)));
  const size = frameSize('film', aspectRatio);
  return planFilm(
    { prompt, durationSeconds, aspectRatio, size, look: lookFrom(style, { prompt }), members },
    typesetter,
  );
}

const letters = (text: string) => text.normalize('NFC').replaceAll(/\s/gu, '');
const member = (index: number, change: Partial<CastMember> = {}): CastMember => ({
  index,
  role: 'other',
  kind: 'image',
  description: null,
  ...change,
});

function expectSound(
  { pages, views, endCard, cues, durationSeconds, composition, size }: FilmPlan,
  prompt: string,
): void {
  const end = endCard?.start ?? durationSeconds;
  for (const track of [pages, views]) {
    expect(track[0]?.start).toBe(0);
    expect(track.at(-1)?.end).toBeCloseTo(end, 9);
    for (const [index, { start, end: until }] of track.entries()) {
      expect(until).toBeGreaterThan(start);
      if (index > 0) expect(start).toBeCloseTo(track[index - 1]?.end ?? 0, 9);
    }
  }
  expect(endCard?.end ?? durationSeconds).toBe(durationSeconds);
  expect(letters(pages.map(({ text }) => text).join(''))).toBe(letters(prompt));
  expect(letters(cues.map(({ text }) => text).join(''))).toBe(letters(prompt));
  for (const { text, set } of pages) {
    expect(letters(set.lines.join(''))).toBe(letters(text));
    expect(set.widthPx).toBeLessThanOrEqual(composition.text.width * 1.03);
    expect(set.lines.length * set.lineHeightPx).toBeLessThanOrEqual(composition.text.height + set.lineHeightPx * 0.01);
  }
  for (const box of [composition.text, composition.cards]) {
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(size.width);
    expect(box.y + box.height).toBeLessThanOrEqual(size.height);
  }
}

describe('planFilm', () => {
  test.each(
    aspectRatios.flatMap((ratio) =>
      Object.entries(scriptSamples).map(([script, text]) => [ratio, script, text] as const),
    ),
  )('in %s sets every word of %s inside the frame', (aspectRatio, _, prompt) => {
    expectSound(plan({ prompt, aspectRatio }), prompt);
  });

  test('keeps the whole brief, however long it is and however short the film', () => {
    const word = fc.constantFrom(
      'light',
      'falls',
      'over',
      'the',
      'hills.',
      'Who',
      'waits?',
      'Nobody',
      'knows,',
      'says',
      'Mara.',
      'straße',
    );
    const brief = fc.record({
      words: fc.array(word, { minLength: 2, maxLength: 1_200 }),
      durationSeconds: fc.integer({ min: 5, max: 120 }),
      aspectRatio: fc.constantFrom(...aspectRatios),
      style: fc.constantFrom('', 'bold, loud', 'elegant', 'neon', 'calm pastel'),
    });
    fc.assert(
      fc.property(brief, ({ words, ...rest }) => {
        const prompt = words.join(' ');
        expectSound(plan({ prompt, ...rest }), prompt);
      }),
      { numRuns: 25 },
    );
  }, 60_000);

  test('8000 characters in five seconds and one word of 200 letters are still all there', () => {
    const long = 'All that light. '.repeat(500).trim();
    expectSound(plan({ prompt: long, durationSeconds: 5, aspectRatio: '9:16' }), long);
    const word = `${'x'.repeat(200)} end`;
    expectSound(plan({ prompt: word, aspectRatio: '9:16' }), word);
  }, 60_000);

  test('a brief without words is refused in words', () => {
    expect(() => plan({ prompt: '\n \t  \n      ' })).toThrow('the brief has no words');
  });

  test('longer sentences stay longer', () => {
    const { pages } = plan({
      prompt: 'Run. The whole town comes down to the harbour to see the boats leave in the evening.',
    });
    const [short, long] = pages.map(({ start, end }) => end - start);
    expect(long).toBeGreaterThan((short ?? 0) * 2);
  });

  test('views change on the beat', () => {
    const { views, grid } = plan({
      prompt: 'Dawn over the hills. A boat leaves the harbour. The city wakes. Night falls.',
    });
    for (const { start } of views)
      expect(start / grid.beatSeconds).toBeCloseTo(Math.round(start / grid.beatSeconds), 6);
  });

  test('no view stays longer than eight seconds, whatever the length', () => {
    for (const style of ['calm', 'energetic']) {
      const { views } = plan({ prompt: 'Just one short line.', durationSeconds: 120, style });
      expect(Math.max(...views.map(({ start, end }) => end - start))).toBeLessThan(8.6);
      for (const [index, { setting }] of views.entries()) expect(setting).not.toBe(views[index + 1]?.setting);
    }
  });

  test('right-to-left text stands on the other side', () => {
    const [left, right] = [plan({ prompt: 'Good morning, world.' }), plan({ prompt: scriptSamples.Arabic })];
    expect(right.composition.text.x + right.composition.text.width).toBeCloseTo(1_280 - left.composition.text.x, 6);
  });
});

describe('cast', () => {
  const prompt = 'The hills are quiet. Mara opens the shop. A city far away. The bottle waits in the dark.';

  test('a sentence that begins with a name in other letters goes the way of the brief', () => {
    const { pages } = plan({ prompt: 'השמש זורחת. Elder Tonic — מר, בהיר. Only in Jaffa.' });
    expect(pages.map(({ set }) => set.direction)).toEqual(['rtl', 'rtl', 'ltr']);
    const english = plan({ prompt: 'The sun comes up. שלום is a greeting. שלום!' });
    expect(english.pages.map(({ set }) => set.direction)).toEqual(['ltr', 'ltr', 'rtl']);
  });

  test('a long word is set smaller rather than cut', () => {
    const { pages } = plan({ prompt: 'Supercalifragilisticexpialidocious!', aspectRatio: '9:16' });
    expect(pages.map(({ set }) => set.lines)).toEqual([['Supercalifragilisticexpialidocious!']]);
    const longest = plan({ prompt: `${'x'.repeat(120)} end`, aspectRatio: '9:16' });
    expect(longest.pages[0]?.set.sizePx).toBeGreaterThan(40);
  });

  test('a product is in every view, a location behind every view', () => {
    const { views } = plan({ prompt, members: [member(0, { role: 'product' }), member(1, { role: 'location' })] });
    for (const { cards, location } of views) {
      expect(cards.map(({ index }) => index)).toEqual([0]);
      expect(location?.index).toBe(1);
    }
  });

  test('a character comes when it is spoken of', () => {
    const { views, pages } = plan({
      prompt,
      members: [member(0, { role: 'character', description: 'Mara, the baker' })],
    });
    const spoken = pages.find(({ text }) => text.includes('Mara'));
    const seen = views.filter(({ cards }) => cards.length > 0);
    expect(seen.length).toBeGreaterThan(0);
    for (const { start, end } of seen) {
      expect(start).toBeGreaterThanOrEqual((spoken?.start ?? 0) - 1e-6);
      expect(end).toBeLessThanOrEqual((spoken?.end ?? 0) + 1e-6);
    }
  });

  test('twenty references of any role all appear, even in five seconds', () => {
    const roles = ['character', 'product', 'location', 'other', 'document'] as const;
    const members = Array.from({ length: 20 }, (_, index) => {
      const role = roles[index % roles.length] ?? 'other';
      return member(index, { role, kind: role === 'document' ? 'document' : 'image' });
    });
    for (const durationSeconds of [5, 30, 120]) {
      const { views } = plan({ prompt, durationSeconds, members });
      const shown = new Set(views.flatMap(({ cards, location }) => [...cards, ...(location ? [location] : [])]));
      expect([...shown].map(({ index }) => index).toSorted((a, b) => a - b)).toEqual(members.map(({ index }) => index));
    }
  });

  test('sounds and styles are not put into the picture', () => {
    const members = [
      member(0, { role: 'style' }),
      member(1, { role: 'audio', kind: 'audio' }),
      member(2, { kind: 'audio' }),
    ];
    expect(
      plan({ prompt, members }).views.every(({ cards, location }) => cards.length === 0 && location === null),
    ).toBe(true);
  });
});
