import { contrast, mix, type Oklch, toHex } from './colour.js';

/** What a palette is made of. Hues in degrees, as in Oklab. */
export interface PaletteRecipe {
  readonly hue: number;
  readonly accentHue: number;
  /** 0 is black and white, 1 is as strong as screens allow in comfort. */
  readonly strength: number;
  readonly tone: 'dark' | 'light';
}

/** Every colour of a film, as `#rrggbb`. Scenery goes from `far` to `near`; text is `ink` on `ground`. */
export interface Palette {
  readonly tone: 'dark' | 'light';
  readonly sky: readonly [top: string, middle: string, bottom: string];
  readonly far: string;
  readonly middle: string;
  readonly near: string;
  readonly ground: string;
  /** Light itself, and the sun that it comes from. */
  readonly glow: string;
  readonly sun: string;
  readonly accent: string;
  readonly ink: string;
  readonly inkSoft: string;
}

export function paletteFrom(recipe: PaletteRecipe): Palette {
  return recipe.tone === 'dark' ? darkPalette(recipe) : lightPalette(recipe);
}

/** Dusk: deep ground, a horizon that still glows in the accent's hue. */
function darkPalette({ hue, accentHue, strength }: PaletteRecipe): Palette {
  const colour = (lightness: number, chroma: number, at = hue) => toHex(oklch(lightness, chroma * strength, at));
  const light = (lightness: number, chroma: number) =>
    toHex(oklch(lightness, chroma * lightStrength(strength), accentHue));
  const horizonHue = between(hue, accentHue, 0.55);
  const ground = colour(0.165, 0.045);
  return {
    tone: 'dark',
    sky: [colour(0.21, 0.075), colour(0.37, 0.115, between(hue, accentHue, 0.16)), colour(0.66, 0.14, horizonHue)],
    far: colour(0.44, 0.1, between(hue, accentHue, 0.25)),
    middle: colour(0.31, 0.085, between(hue, accentHue, 0.1)),
    near: colour(0.21, 0.06),
    ground,
    glow: light(0.87, 0.12),
    sun: light(0.87, 0.12),
    accent: toHex(oklch(accentLightness(accentHue), 0.2 * lightStrength(strength), accentHue)),
    ink: readable('#fffaf2', ground),
    inkSoft: colour(0.86, 0.03),
  };
}

/** Paper: light ground, scenery in washes, ink nearly black. */
function lightPalette({ hue, accentHue, strength }: PaletteRecipe): Palette {
  const colour = (lightness: number, chroma: number, at = hue) => toHex(oklch(lightness, chroma * strength, at));
  const ground = colour(0.965, 0.014);
  const ink = colour(0.24, 0.045);
  return {
    tone: 'light',
    sky: [
      colour(0.9, 0.04),
      colour(0.935, 0.035, between(hue, accentHue, 0.3)),
      colour(0.925, 0.07, between(hue, accentHue, 0.6)),
    ],
    far: colour(0.86, 0.055, between(hue, accentHue, 0.25)),
    middle: colour(0.79, 0.075, between(hue, accentHue, 0.1)),
    near: colour(0.69, 0.095),
    ground,
    glow: colour(0.985, 0.045, accentHue),
    sun: toHex(oklch(0.8, 0.13 * lightStrength(strength), accentHue)),
    accent: toHex(oklch(0.6, 0.17 * lightStrength(strength), accentHue)),
    ink: readable(ink, ground),
    inkSoft: colour(0.42, 0.04),
  };
}

/** Where screens have a hue at its strongest: a red as light as a yellow is pink. */
function accentLightness(hue: number): number {
  const fromYellow = Math.abs(((hue - 105 + 540) % 360) - 180);
  return 0.85 - 0.2 * Math.min(1, fromYellow / 80);
}

/** Gold on black stays gold: only a film in black and white has grey light. */
function lightStrength(strength: number): number {
  return strength === 0 ? 0 : Math.max(0.8, strength);
}

function oklch(lightness: number, chroma: number, hue: number): Oklch {
  return { lightness, chroma, hue: ((hue % 360) + 360) % 360 };
}

/**
 * A hue between two, as a sky has it: blue turns to amber by way of rose. Green is passed only from or to a hue that is
 * near it.
 */
function between(from: number, to: number, amount: number): number {
  const short = ((to - from + 540) % 360) - 180;
  const long = short > 0 ? short - 360 : short + 360;
  const passesGreen = (way: number) => {
    const [low, high] = way > 0 ? [from, from + way] : [from + way, from];
    return [-215, 145, 505].some((green) => low < green - 25 && high > green + 25);
  };
  return from + (passesGreen(short) && !passesGreen(long) ? long : short) * amount;
}

/** Text is read for a second or two: more contrast than WCAG's 7 for careful readers. */
function readable(ink: string, ground: string): string {
  let colour = ink;
  for (let step = 0; step < 10 && contrast(colour, ground) < 8; step++) {
    colour = mix(colour, contrast('#ffffff', ground) > contrast('#000000', ground) ? '#ffffff' : '#000000', 0.2);
  }
  return colour;
}
