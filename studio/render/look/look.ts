import { hash32 } from '../random.js';
import { fromRgb, rgbOf } from './colour.js';
import { type Palette, type PaletteRecipe, paletteFrom } from './palette.js';
import { colourWords, moodWords, type Traits } from './style-words.js';

/** Typefaces by character: `grotesk` is modern, `poster` loud, `fine` elegant, `plain` a clear text face. */
export type Voice = 'grotesk' | 'poster' | 'fine' | 'plain';
/** How a line of text comes in. */
export type Entrance = 'rise' | 'fade' | 'wipe' | 'snap';
/** How one view gives way to the next. */
export type Transition = 'dissolve' | 'slide' | 'wipe' | 'cut';
export type Mode = 'major' | 'minor' | 'dorian' | 'lydian';

export interface Look {
  readonly palette: Palette;
  readonly voice: Voice;
  readonly entrance: Entrance;
  readonly transition: Transition;
  /** 0 is still, 1 is restless: cutting rate, camera, tempo and drums follow it. */
  readonly energy: number;
  readonly mode: Mode;
}

const fallbackRecipe: PaletteRecipe = { hue: 285, accentHue: 62, strength: 1, tone: 'dark' };
const defaults: readonly Partial<PaletteRecipe>[] = [
  { hue: 285, accentHue: 62 },
  { hue: 245, accentHue: 68 },
  { hue: 168, accentHue: 95 },
  { hue: 345, accentHue: 45 },
  { hue: 265, accentHue: 195 },
  { hue: 30, accentHue: 78 },
];
const modes: readonly Mode[] = ['major', 'dorian', 'lydian', 'minor'];

/**
 * Reads a style direction. Known words decide what they describe (the first one wins; named colours always count). Of
 * the brief's own words only the mood counts: a black cat does not make a black film. What is still open is drawn at
 * random, seeded by the brief, so that two briefs without a style do not look the same.
 */
export function lookFrom(style: string, { prompt, colours = null }: LookOptions): Look {
  const traits = { ...moodOfBrief(prompt.toLowerCase()), ...readTraits(style.toLowerCase()) };
  const draw = hash32(prompt);
  const drawn = defaults[draw % defaults.length] ?? {};
  const recipe = { ...fallbackRecipe, ...drawn, ...recipeOf(traits), ...colours };
  const energy = traits.energy ?? 0.45;
  return {
    palette: paletteFrom(recipe),
    voice: traits.voice ?? ((draw >>> 8) % 2 === 0 ? 'grotesk' : 'plain'),
    entrance: traits.entrance ?? (energy > 0.7 ? 'snap' : 'rise'),
    transition: traits.transition ?? (energy > 0.7 ? 'slide' : 'dissolve'),
    energy,
    mode: traits.mode ?? modes[(draw >>> 16) % modes.length] ?? 'major',
  };
}

interface LookOptions {
  readonly prompt: string;
  /** Colours of a style reference; they count more than words. */
  readonly colours?: PaletteRecipe | null;
}

function recipeOf({ hue, accentHue, strength, tone }: Traits): Partial<PaletteRecipe> {
  return {
    ...(hue !== undefined && { hue }),
    ...(accentHue !== undefined && { accentHue }),
    ...(strength !== undefined && { strength }),
    ...(tone !== undefined && { tone }),
  };
}

function readTraits(words: string): Traits {
  const named = namedColours(words);
  return { ...(isMuddyInTheDark(named) && { tone: 'light' as const }), ...moodsOf(words), ...named };
}

/** A dark yellow is olive: a yellow film is a light one, unless something else says how light it is. */
function isMuddyInTheDark({ hue }: Traits): boolean {
  return hue !== undefined && hue > 78 && hue < 130;
}

function moodsOf(words: string): Traits {
  return Object.assign({}, ...inOrder(words, moodWords).reverse());
}

function moodOfBrief(words: string): Traits {
  const { hue, accentHue, mode, energy } = moodsOf(words);
  return Object.fromEntries(
    Object.entries({ hue, accentHue, mode, energy }).filter(([, value]) => value !== undefined),
  );
}

function inOrder(text: string, vocabulary: typeof moodWords): Traits[] {
  return vocabulary
    .flatMap(({ pattern, traits }) => {
      const at = text.search(pattern);
      return at < 0 ? [] : [{ at, traits }];
    })
    .sort((a, b) => a.at - b.at)
    .map(({ traits }) => traits);
}

/** Red and black is still red, and blue and white is white above all; a dark yellow would be olive. */
function strengthBeside({ tone }: Traits, hue: number): number {
  if (tone === 'light') return 0.45;
  return hue > 70 && hue < 130 ? 0.3 : 0.8;
}

/** Black, white and grey set the tone; of two colours the cooler is the film's ground, the warmer its accent. */
function namedColours(words: string): Traits {
  const found = inOrder(words, colourWords);
  const hues = [...found.flatMap(({ hue }) => (hue === undefined ? [] : [hue])), ...hexHues(words)];
  const neutral = found.find(({ hue }) => hue === undefined);
  const [first, second] = hues;
  if (first === undefined) return neutral ? { ...neutral, strength: 0 } : {};
  if (neutral) return { ...neutral, hue: first, accentHue: first, strength: strengthBeside(neutral, first) };
  const [ground, accent] =
    second !== undefined && coolness(second) > coolness(first) ? [second, first] : [first, second ?? first];
  return { ...found.find(({ hue }) => hue === ground), hue: ground, accentHue: accent };
}

function hexHues(words: string): number[] {
  const codes = words.match(/#(?:[0-9a-f]{6}|[0-9a-f]{3})\b/g) ?? [];
  return codes
    .map((code) => fromRgb(rgbOf(code)))
    .filter(({ chroma }) => chroma > 0.03)
    .map(({ hue }) => hue);
}

/** Nearness to blue, 0 to 180: cool colours make the better ground, warm ones the better light. */
function coolness(hue: number): number {
  return 180 - Math.abs(((hue - 265 + 540) % 360) - 180);
}
