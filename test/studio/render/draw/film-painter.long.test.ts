import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { describe, expect, test } from 'vitest';
import { type AspectRatio, aspectRatios } from '../../../../domain/brief.js';
import { createFilmPainter } from '../../../../studio/render/draw/film-painter.js';
import { frameSize } from '../../../../studio/render/frame-size.js';
import { contrast } from '../../../../studio/render/look/colour.js';
import { lookFrom } from '../../../../studio/render/look/look.js';
import type { CastMember } from '../../../../studio/render/plan/casting.js';
import { type FilmPlan, planFilm } from '../../../../studio/render/plan/film-plan.js';
import type { Picture } from '../../../../studio/render/reference/picture.js';
import { hanStyleOf } from '../../../../studio/render/text/face-finder.js';
import { FontCase } from '../../../../studio/render/text/font-case.js';
import { Typesetter } from '../../../../studio/render/text/typesetter.js';
import { scriptSamples } from '../text/script-samples.js';

interface Brief {
  readonly prompt: string;
  readonly aspectRatio?: AspectRatio;
  readonly style?: string;
  readonly members?: readonly CastMember[];
  readonly pictures?: ReadonlyMap<number, Picture>;
}

function film({ prompt, aspectRatio = '16:9', style = '', members = [], pictures = new Map() }: Brief) {
  const typesetter = new Typesetter(new FontCase(hanStyleOf(prompt)));
  const size = frameSize('draft', aspectRatio);
  const look = lookFrom(style, { prompt });
  const plan = planFilm({ prompt, durationSeconds: 20, aspectRatio, size, look, members }, typesetter);
  const paint = createFilmPainter(plan, { pictures, typesetter });
  const canvas = createCanvas(size.width, size.height);
  return {
    plan,
    at(seconds: number): Uint8ClampedArray {
      const context = canvas.getContext('2d');
      paint(context, seconds);
      return context.getImageData(0, 0, size.width, size.height).data;
    },
  };
}

/** Share of pixels in a box that are close to a colour. */
function share(
  pixels: Uint8ClampedArray,
  { width }: { readonly width: number },
  {
    box,
    colour,
  }: { readonly box: { x: number; y: number; width: number; height: number }; readonly colour: readonly number[] },
): number {
  let [hits, all] = [0, 0];
  for (let y = Math.floor(box.y); y < Math.floor(box.y + box.height); y++) {
    for (let x = Math.floor(box.x); x < Math.floor(box.x + box.width); x++) {
      all++;
      const at = (y * width + x) * 4;
      if (colour.every((value, channel) => Math.abs((pixels[at + channel] ?? 0) - value) < 40)) hits++;
    }
  }
  return hits / all;
}

function rgb(hex: string): readonly number[] {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

function plain(colour: string, width = 200, height = 200): Picture {
  const canvas: Canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = colour;
  context.fillRect(0, 0, width, height);
  return { stills: [canvas], width, height, cutOut: false };
}

/** Words of every setting that there is. */
const settings = [
  'hills',
  'sea',
  'city',
  'sky',
  'space planet',
  'forest',
  'room',
  'product',
  'network',
  'concert',
  'nothing at all',
];

/** Share of the text's box on which large letters in the film's ink would have less contrast than 3 to 1 (WCAG 1.4.3). */
function unreadable(pixels: Uint8ClampedArray, { size, composition, look }: FilmPlan): number {
  const { x, y, width, height } = composition.text;
  let [faint, all] = [0, 0];
  for (let row = Math.floor(y); row < y + height; row++) {
    for (let column = Math.floor(x); column < x + width; column++) {
      const at = (row * size.width + column) * 4;
      const hex = [0, 1, 2].map((channel) => (pixels[at + channel] ?? 0).toString(16).padStart(2, '0')).join('');
      all++;
      if (contrast(look.palette.ink, `#${hex}`) < 3) faint++;
    }
  }
  return faint / all;
}

const same = (one: Uint8ClampedArray, other: Uint8ClampedArray) =>
  Buffer.from(one.buffer).equals(Buffer.from(other.buffer));
const place = (role: CastMember['role'], index = 0): CastMember => ({ index, role, kind: 'image', description: null });

describe('film', { timeout: 120_000 }, () => {
  test.each(
    Object.entries(scriptSamples).map(
      ([script, text], index) => [aspectRatios[index % aspectRatios.length] ?? '16:9', script, text] as const,
    ),
  )('in %s shows %s as ink where its text stands', (aspectRatio, _, prompt) => {
    const { plan, at } = film({ prompt, aspectRatio, style: 'dark blue' });
    const [page] = plan.pages;
    const ink = { box: plan.composition.text, colour: rgb(plan.look.palette.ink) };
    const shown = at(Math.min((page?.start ?? 0) + 1.5, (page?.shownUntil ?? 0) - 0.3));
    expect(share(shown, plan.size, ink)).toBeGreaterThan(0.015);
  });

  test('the text comes in and is not there from the first frame', () => {
    const { plan, at } = film({ prompt: 'The quick brown fox jumps over the lazy dog.', style: 'dark blue' });
    const ink = { box: plan.composition.text, colour: rgb(plan.look.palette.ink) };
    const [before, after] = [share(at(0), plan.size, ink), share(at(1.5), plan.size, ink)];
    expect(after).toBeGreaterThan(before + 0.02);
  });

  test('the same moment is drawn the same whatever was drawn before', () => {
    const brief = {
      prompt: 'A boat leaves the harbour at dawn. The city sleeps under the rain. A forest, then stars.',
    };
    const [straight, jumping] = [film(brief), film(brief)];
    for (const seconds of [0.5, 4, 9, 14, 19]) straight.at(seconds);
    for (const seconds of [19, 2, 14])
      expect(same(jumping.at(seconds), straight.at(seconds)), `at ${seconds} s`).toBe(true);
  });

  test.each(settings)('a brief about %s gives frames that move and are neither flat nor black', (subject) => {
    const { at } = film({ prompt: `Here is ${subject} for you.` });
    const [one, two] = [at(1), at(2.3)];
    const colours = new Set<number>();
    let light = 0;
    for (let index = 0; index < one.length; index += 4) {
      const [red = 0, green = 0, blue = 0] = one.subarray(index, index + 3);
      colours.add((red >> 3) * 1_024 + (green >> 3) * 32 + (blue >> 3));
      light += (red + green + blue) / 3;
    }
    expect(colours.size).toBeGreaterThan(25);
    expect(light / (one.length / 4)).toBeGreaterThan(12);
    expect(same(one, two)).toBe(false);
  });

  test.each(
    settings.flatMap((subject) =>
      (['light pastel', 'dark blue', 'red and black'] as const).map((style) => [subject, style] as const),
    ),
  )('behind the text of a film about %s, %s, is a ground on which its ink can be read', (subject, style) => {
    for (const aspectRatio of ['16:9', '9:16'] as const) {
      const { plan, at } = film({ prompt: `Here is ${subject} for you.`, style, aspectRatio });
      expect(unreadable(at(0), plan), aspectRatio).toBeLessThan(0.12);
    }
  });

  test('ends with a card that says how it was made', () => {
    const { plan, at } = film({ prompt: 'The quick brown fox jumps over the lazy dog.', style: 'dark blue' });
    const middle = {
      x: plan.size.width * 0.3,
      y: plan.size.height * 0.3,
      width: plan.size.width * 0.4,
      height: plan.size.height * 0.4,
    };
    expect(share(at(19.5), plan.size, { box: middle, colour: rgb(plan.look.palette.ink) })).toBeGreaterThan(0.01);
  });
});

describe('references', { timeout: 120_000 }, () => {
  const prompt = 'A quiet morning in the hills. Mara opens the shop. Then night falls over the city.';

  test.each(aspectRatios)('a product is held in every view of a %s film', (aspectRatio) => {
    const { plan, at } = film({
      prompt,
      aspectRatio,
      members: [place('product')],
      pictures: new Map([[0, plain('#00ff40')]]),
    });
    for (const { start, end } of plan.views) {
      const held = share(at(start + (end - start) * 0.6), plan.size, {
        box: plan.composition.cards,
        colour: [0, 255, 64],
      });
      expect(held).toBeGreaterThan(0.2);
    }
  });

  test('a location is behind, under the text too', () => {
    const { plan, at } = film({
      prompt,
      style: 'light',
      members: [place('location')],
      pictures: new Map([[0, plain('#ff0000')]]),
    });
    const pixels = at(2);
    let red = 0;
    for (let index = 0; index < pixels.length; index += 4) {
      if ((pixels[index] ?? 0) > (pixels[index + 1] ?? 0) + 20) red++;
    }
    expect(red / (plan.size.width * plan.size.height)).toBeGreaterThan(0.8);
  });

  test('a character is there while spoken of, with a name plate', () => {
    const members = [{ ...place('character'), description: 'Mara, who bakes' }];
    const pictures = new Map([[0, plain('#00ff40', 300, 500)]]);
    const { plan, at } = film({ prompt, members, pictures });
    const unnamed = film({
      prompt,
      members: [{ ...place('character'), description: 'Mara' }],
      pictures: new Map([[0, plain('#00ff40', 300, 500)]]),
    });
    const page = plan.pages.find(({ text }) => text.includes('Mara'));
    const moment = ((page?.start ?? 0) + (page?.end ?? 0)) / 2;
    const green = { box: plan.composition.cards, colour: [0, 255, 64] };
    expect(share(at(moment), plan.size, green)).toBeGreaterThan(0.1);
    expect(share(at(1), plan.size, green)).toBe(0);
    expect(same(unnamed.at(moment), at(moment))).toBe(true);
  });

  test('a cut-out has no frame, a photograph has', () => {
    const cut = { ...plain('#00ff40'), cutOut: true };
    const framed = film({
      prompt,
      style: 'dark blue',
      members: [place('product')],
      pictures: new Map([[0, plain('#00ff40')]]),
    });
    const free = film({ prompt, style: 'dark blue', members: [place('product')], pictures: new Map([[0, cut]]) });
    const border = { box: framed.plan.composition.cards, colour: rgb(framed.plan.look.palette.inkSoft) };
    expect(share(framed.at(2), framed.plan.size, border)).toBeGreaterThan(share(free.at(2), free.plan.size, border));
  });

  test('several stills of a film follow one another', () => {
    const film3: Picture = {
      ...plain('#ff0000'),
      stills: ['#ff0000', '#00ff00', '#0000ff'].flatMap((colour) => plain(colour).stills),
    };
    const { plan, at } = film({
      prompt: 'Just one line here.',
      members: [place('product')],
      pictures: new Map([[0, film3]]),
    });
    const seen = [0.1, 0.5, 0.95].map((part) => {
      const pixels = at((plan.endCard?.start ?? 0) * part);
      return [
        [255, 0, 0],
        [0, 255, 0],
        [0, 0, 255],
      ].map((colour) => share(pixels, plan.size, { box: plan.composition.cards, colour }));
    });
    expect(seen.map((shares) => shares.indexOf(Math.max(...shares)))).toEqual([0, 1, 2]);
  });
});
