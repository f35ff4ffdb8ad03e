import type { Voice } from '../look/look.js';
import type { SetText, Typesetter } from '../text/typesetter.js';
import type { Composition } from './composition.js';
import { readingSeconds } from './reading-time.js';

/** One screenful of the brief. All pages together are the whole brief. */
export interface Page {
  readonly text: string;
  readonly set: SetText;
  readonly readingSeconds: number;
}

/** How much goes on a page: `sizes` at a frame whose shorter side is 720, largest first. */
interface Density {
  readonly sizes: readonly number[];
  readonly maximumLines: number;
  /** Sentences share a page up to this reading time; 0 keeps each on a page of its own. */
  readonly togetherSeconds: number;
  /** Smallest part of the comfortable reading time with which this is still better than smaller type. */
  readonly leastComfort: number;
}

const densities: readonly Density[] = [
  { sizes: [124, 108, 94, 82, 72, 62, 54, 46], maximumLines: 5, togetherSeconds: 0, leastComfort: 0.68 },
  { sizes: [54, 48, 42, 36], maximumLines: 8, togetherSeconds: 7, leastComfort: 0.6 },
  { sizes: [36, 31, 27], maximumLines: 14, togetherSeconds: 18, leastComfort: 0.5 },
  { sizes: [24, 21, 18], maximumLines: 40, togetherSeconds: 120, leastComfort: 0 },
];

/** A word that is wider than a line at all sizes of its page may be set as small as this before it is cut. */
const sizesForLongWords = [40, 36, 32];

/** Running text in thin strokes or in capitals is hard to read at small sizes. */
const readable: Readonly<Record<Voice, Voice | 'label'>> = {
  grotesk: 'grotesk',
  poster: 'plain',
  fine: 'label',
  plain: 'plain',
};

interface PageOptions {
  readonly typesetter: Typesetter;
  readonly voice: Voice;
  readonly composition: Composition;
  readonly availableSeconds: number;
}

/** Sets the brief as large as its reading time allows; when even small type leaves too little time, nothing is left out. */
export function pagesOf(sentences: readonly string[], options: PageOptions): readonly Page[] {
  let pages: readonly Page[] = [];
  for (const density of densities) {
    pages = grouped(sentences, density).flatMap((text) => paginate(text, { ...options, density }));
    const neededSeconds = pages.reduce((sum, page) => sum + page.readingSeconds, 0);
    if (options.availableSeconds >= neededSeconds * density.leastComfort) break;
  }
  return pages;
}

function grouped(sentences: readonly string[], { togetherSeconds }: Density): readonly string[] {
  const groups: string[] = [];
  for (const sentence of sentences) {
    const together = groups.length === 0 ? sentence : `${groups.at(-1)} ${sentence}`;
    if (groups.length > 0 && readingSeconds(together) <= togetherSeconds) groups[groups.length - 1] = together;
    else groups.push(sentence);
  }
  return groups;
}

function paginate(text: string, options: PageOptions & { readonly density: Density }): readonly Page[] {
  const { composition, density } = options;
  const at = (size: number) => setAt(text, size * composition.unit, options);
  const fitting = firstOf(density.sizes, at, (set) => !set.cutsWords && set.lines.length <= roomFor(set, options));
  if (fitting) return [pageOf(text, fitting)];
  const smallest = density.sizes.at(-1) ?? 18;
  const usual = at(smallest);
  if (!usual.cutsWords) return split(text, usual, options);
  const smaller = sizesForLongWords.filter((size) => size < smallest);
  return split(text, firstOf(smaller, at, ({ cutsWords }) => !cutsWords) ?? usual, options);
}

/** Setting a text is expensive: sizes after the first that fits are not tried. */
function firstOf(
  sizes: readonly number[],
  at: (size: number) => SetText,
  does: (set: SetText) => boolean,
): SetText | undefined {
  for (const size of sizes) {
    const set = at(size);
    if (does(set)) return set;
  }
  return undefined;
}

function roomFor(set: SetText, { composition, density }: PageOptions & { readonly density: Density }): number {
  return Math.max(1, Math.min(density.maximumLines, Math.floor(composition.text.height / set.lineHeightPx)));
}

/** Pages of about equal length, so that the last one is not a single word. */
function split(text: string, set: SetText, options: PageOptions & { readonly density: Density }): readonly Page[] {
  const room = roomFor(set, options);
  const count = Math.ceil(set.lines.length / room);
  const perPage = Math.ceil(set.lines.length / count);
  const pages: Page[] = [];
  let rest = text;
  for (let first = 0; first < set.lines.length; first += perPage) {
    const lines = set.lines.slice(first, first + perPage);
    const shownLines = set.shownLines.slice(first, first + perPage);
    const { taken, left } = take(rest, lines);
    pages.push(pageOf(taken, { ...set, lines, shownLines }));
    rest = left;
  }
  return pages;
}

/** The part of a text that these lines show. A line does not say whether a space followed it, the text does. */
function take(text: string, lines: readonly string[]): { readonly taken: string; readonly left: string } {
  let shown = lines.join('').replaceAll(/\s/gu, '').length;
  let end = 0;
  for (; end < text.length && shown > 0; end++) if (!/\s/u.test(text.charAt(end))) shown--;
  return { taken: text.slice(0, end), left: text.slice(end).trimStart() };
}

function pageOf(text: string, set: SetText): Page {
  return { text, set, readingSeconds: readingSeconds(text) };
}

function setAt(
  text: string,
  sizePx: number,
  { typesetter, voice, composition, density }: PageOptions & { readonly density: Density },
): SetText {
  return typesetter.set(text, {
    voice: density.togetherSeconds === 0 ? voice : readable[voice],
    sizePx,
    width: composition.text.width,
    within: composition.direction,
  });
}
