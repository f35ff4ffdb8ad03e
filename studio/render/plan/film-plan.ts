import type { AspectRatio } from '../../../domain/brief.js';
import type { FrameSize } from '../frame-size.js';
import type { Look } from '../look/look.js';
import { hash32 } from '../random.js';
import { directionOf, type Typesetter } from '../text/typesetter.js';
import { type CastMember, castOf } from './casting.js';
import { type Composition, compose } from './composition.js';
import { type Cue, cuesOf } from './cues.js';
import { type MusicGrid, musicGrid } from './music-grid.js';
import { pagesOf } from './pages.js';
import { screenTextOf } from './screen-text.js';
import { type Setting, settingsIn } from './settings.js';
import { type TimedPage, timePages } from './timing.js';
import { type View, viewsOf } from './views.js';

/** Everything that is decided before the first frame is drawn. Times in seconds from the beginning. */
export interface FilmPlan {
  readonly size: FrameSize;
  readonly durationSeconds: number;
  readonly seed: number;
  readonly look: Look;
  readonly composition: Composition;
  readonly grid: MusicGrid;
  readonly pages: readonly TimedPage[];
  /** No word is shown: the pages only say what the pictures are about, and when. */
  readonly silent: boolean;
  /** One after the other without a gap, from 0 to the end card. */
  readonly views: readonly View[];
  /** The last stretch, which says how the film was made; null where there is no time for it. */
  readonly endCard: { readonly start: number; readonly end: number } | null;
  readonly cues: readonly Cue[];
}

export interface PlanInput {
  readonly prompt: string;
  readonly durationSeconds: number;
  readonly aspectRatio: AspectRatio;
  readonly size: FrameSize;
  readonly look: Look;
  readonly members: readonly CastMember[];
}

const shortestWithEndCardSeconds = 12;
const unspoken: readonly Setting[] = ['ribbons', 'hills', 'lights', 'sky', 'sea'];

export function planFilm(input: PlanInput, typesetter: Typesetter): FilmPlan {
  const { prompt, durationSeconds, aspectRatio, size, look } = input;
  const { sentences: written, places, silent } = screenTextOf(prompt);
  const sentences = written.map((sentence) => typesetter.legible(sentence)).filter((sentence) => sentence !== '');
  if (sentences.length === 0) throw new Error('Cannot plan the film: the brief has no words; write a sentence');
  const cast = castOf(input.members);
  const grid = musicGrid(durationSeconds, look.energy);
  const endSeconds = !silent && durationSeconds >= shortestWithEndCardSeconds ? grid.beatSeconds * 4 : 0;
  const availableSeconds = durationSeconds - endSeconds;
  const composition = compose(size, {
    aspectRatio,
    cards: cast.products.length + cast.guests.length > 0,
    direction: directionOf(prompt),
  });
  const pages = timePages(pagesOf(sentences, { typesetter, voice: look.voice, composition, availableSeconds }), {
    availableSeconds,
    grid,
  });
  const seed = hash32(prompt);
  const fallback = fallbackSetting(prompt, { seed, products: cast.products.length > 0 });
  return {
    size,
    durationSeconds,
    seed,
    look,
    composition,
    grid,
    pages,
    silent,
    views: viewsOf(placed(pages, places), { cast, grid, energy: look.energy, fallback }),
    endCard: endSeconds > 0 ? { start: availableSeconds, end: durationSeconds } : null,
    cues: silent ? [] : pages.flatMap(({ start, shownUntil, text }) => cuesOf({ start, end: shownUntil, text })),
  };
}

/** Adds to each page the place that its scene heading names. */
function placed(pages: readonly TimedPage[], places: ReadonlyMap<string, string>): readonly TimedPage[] {
  return pages.map((page) => {
    const named = [...places].find(
      ([sentence]) => sentence !== '' && page.text.startsWith(sentence.slice(0, page.text.length)),
    );
    return named ? { ...page, text: `${named[1]} ${page.text}` } : page;
  });
}

function fallbackSetting(
  prompt: string,
  { seed, products }: { readonly seed: number; readonly products: boolean },
): Setting {
  if (products) return 'stage';
  return settingsIn(prompt)[0] ?? unspoken[seed % unspoken.length] ?? 'ribbons';
}
