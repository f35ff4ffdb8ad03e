import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contrast, fromRgb, rgbOf, toHex } from '../../../../studio/render/look/colour.js';
import { lookFrom } from '../../../../studio/render/look/look.js';
import { paletteFrom } from '../../../../studio/render/look/palette.js';

const look = (style: string, prompt = 'A brief.') => lookFrom(style, { prompt });
const hueOf = (hex: string) => fromRgb(rgbOf(hex));

describe('palette', () => {
  test('text can be read on every palette, and every colour is one that screens have', () => {
    const recipe = fc.record({
      hue: fc.integer({ min: 0, max: 359 }),
      accentHue: fc.integer({ min: 0, max: 359 }),
      strength: fc.double({ min: 0, max: 1.5, noNaN: true }),
      tone: fc.constantFrom('dark' as const, 'light' as const),
    });
    fc.assert(
      fc.property(recipe, (made) => {
        const palette = paletteFrom(made);
        expect(contrast(palette.ink, palette.ground)).toBeGreaterThan(7);
        expect(contrast(palette.inkSoft, palette.ground)).toBeGreaterThan(4.5);
        for (const colour of Object.values(palette).flat())
          if (colour !== made.tone) expect(colour).toMatch(/^#[\da-f]{6}$/);
      }),
    );
  });

  test('a colour comes back from Oklab as it was', () => {
    for (const hex of ['#000000', '#ffffff', '#e03020', '#2040c0', '#7f8081'])
      expect(toHex(fromRgb(rgbOf(hex)))).toBe(hex);
  });
});

describe('style words', () => {
  test.each([
    ['light and airy, pastel', { tone: 'light' }],
    ['dark and moody', { tone: 'dark' }],
    ['Clean, minimal, lots of white', { tone: 'light' }],
  ])('"%s" sets the tone', (style, expected) => {
    expect(look(style).palette).toMatchObject(expected);
  });

  test.each([
    ['elegant and slow', { voice: 'fine', entrance: 'fade', transition: 'dissolve' }],
    ['bold, energetic, sporty', { voice: 'poster', entrance: 'snap', transition: 'slide' }],
    ['futuristic tech', { voice: 'grotesk', entrance: 'wipe', transition: 'wipe' }],
  ])('"%s" picks type and motion', (style, expected) => {
    expect(look(style)).toMatchObject(expected);
  });

  test('black and white has no colour at all', () => {
    for (const colour of Object.values(look('black and white').palette).flat()) {
      if (colour.startsWith('#')) expect(hueOf(colour).chroma).toBeLessThan(0.02);
    }
  });

  test('named colours are used, the warm one as the accent', () => {
    const { palette } = look('orange and navy');
    expect(hueOf(palette.accent).hue).toBeGreaterThan(40);
    expect(hueOf(palette.accent).hue).toBeLessThan(80);
    expect(Math.abs(hueOf(palette.near).hue - 266)).toBeLessThan(25);
    expect(hueOf(look('brand colour #0a8f5b').palette.accent).hue).toBeCloseTo(hueOf('#0a8f5b').hue, -1);
  });

  test.each([
    ['red and black', 27, 0.1],
    ['black and gold', 82, 0.1],
    ['violet, grey', 303, 0.1],
    ['white and blue', 260, 0.05],
  ])('"%s" is a colour and not its shadow', (style, hue, chroma) => {
    const { accent } = look(style).palette;
    expect(Math.abs(hueOf(accent).hue - hue)).toBeLessThan(15);
    expect(hueOf(accent).chroma).toBeGreaterThan(chroma);
  });

  test('red light is no pink, and scenery beside gold is nearly black rather than olive', () => {
    expect(fromRgb(rgbOf(look('red and black').palette.accent)).lightness).toBeLessThan(0.72);
    expect(hueOf(look('black and gold').palette.middle).chroma).toBeLessThan(0.04);
    expect(hueOf(look('black and red').palette.middle).chroma).toBeGreaterThan(0.05);
  });

  test('a word inside another word means nothing', () => {
    expect(look('reduced, blackmail, functional')).toEqual(look('xyzzy'));
  });

  test('energy orders calm, plain and fast', () => {
    const [calm, plain, fast] = ['calm', '', 'fast action'].map((style) => look(style).energy);
    expect(calm).toBeLessThan(plain ?? 0);
    expect(plain).toBeLessThan(fast ?? 0);
  });

  test('the brief gives the mood and not the tone: a black cat makes no black film', () => {
    expect(look('', 'A black cat in white light').palette.tone).toBe('dark');
    expect(look('', 'A calm day').energy).toBeLessThan(look('', 'An urgent day').energy);
  });

  test('different briefs without a style look different', () => {
    const accents = new Set(
      ['One.', 'Two.', 'Three.', 'Four.', 'Five.', 'Six.'].map((prompt) => look('', prompt).palette.accent),
    );
    expect(accents.size).toBeGreaterThan(2);
  });

  test('colours of a style reference count more than words', () => {
    const colours = { hue: 148, accentHue: 148, strength: 1, tone: 'light' as const };
    const { palette } = lookFrom('dark red', { prompt: 'A brief.', colours });
    expect(palette.tone).toBe('light');
    expect(Math.abs(hueOf(palette.accent).hue - 148)).toBeLessThan(15);
  });
});
