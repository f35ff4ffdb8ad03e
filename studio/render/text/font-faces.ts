import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Voice } from '../look/look.js';

/** One font file of one weight, and the characters that its package says it is for. */
export interface Face {
  readonly path: string;
  readonly alias: string;
  readonly claims: (codePoint: number) => boolean;
}

/** What the text is written in, where the same characters are drawn differently by language. */
export type HanStyle = 'sc' | 'jp' | 'kr';

interface VoiceFace {
  readonly family: 'inter' | 'space-grotesk';
  readonly weight: number;
}

const voiceFaces: Readonly<Record<Voice | 'label', VoiceFace>> = {
  grotesk: { family: 'space-grotesk', weight: 700 },
  poster: { family: 'inter', weight: 900 },
  fine: { family: 'inter', weight: 300 },
  plain: { family: 'inter', weight: 700 },
  label: { family: 'inter', weight: 500 },
};
const interSubsets = ['latin', 'latin-ext', 'vietnamese', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext'];
const hanFiles = { sc: 'chinese-simplified', jp: 'japanese', kr: 'korean' } as const;
const hanOrders = { sc: ['sc', 'jp', 'kr'], jp: ['jp', 'sc', 'kr'], kr: ['kr', 'sc', 'jp'] } as const;
/** A thin stroke of Chinese or Arabic at the size of a caption is lost in video: scripts other than Latin get more. */
const thinnestElsewhere = 400;

const require = createRequire(import.meta.url);

/**
 * The faces to try for a character, best first, in groups: a group is made when the groups before it did not do, since
 * the lists of the East Asian families alone take a tenth of a second to read. Nothing is read from a font file yet.
 */
export function faceGroups(voice: Voice | 'label', han: HanStyle): readonly (() => readonly Face[])[] {
  const { family, weight } = voiceFaces[voice];
  const elsewhere = Math.max(weight, thinnestElsewhere);
  return [
    () =>
      family === 'inter' ? [] : ['latin', 'latin-ext', 'vietnamese'].map((subset) => face(family, subset, weight)),
    () => interSubsets.map((subset) => face('inter', subset, weight)),
    () =>
      ['devanagari', 'latin-ext', 'cyrillic-ext', 'greek-ext'].map((subset) => face('noto-sans', subset, elsewhere)),
    () => [face('noto-sans-arabic', 'arabic', elsewhere)],
    () => [face('noto-sans-hebrew', 'hebrew', elsewhere)],
    () => [{ ...face('noto-color-emoji', 'emoji', 400), claims: isPictograph }],
    ...hanOrders[han].map((style) => () => [wholeHanFace(style, elsewhere)]),
    ...hanOrders[han].map((style) => () => rareHanFaces(style, elsewhere)),
  ];
}

/** Several families carry one each of a file with all usual characters, which their package does not list. */
function wholeHanFace(style: HanStyle, weight: number): Face {
  return {
    ...face(`noto-sans-${style}`, hanFiles[style], weight),
    claims: (codePoint) => isEastAsian(codePoint) || isSymbol(codePoint),
  };
}

/** Slices with the characters that the whole file leaves out: rare ones, and most symbols of any script. */
function rareHanFaces(style: HanStyle, weight: number): readonly Face[] {
  const family = `noto-sans-${style}`;
  const slices = Object.keys(rangesOf(family)).filter((subset) => subset.startsWith('['));
  return slices.map((slice) => {
    const one = face(family, slice, weight);
    return { ...one, claims: (codePoint) => (isEastAsian(codePoint) || isSymbol(codePoint)) && one.claims(codePoint) };
  });
}

function face(family: string, subset: string, weight: number): Face {
  const name = `${family}-${subset.replace(/[[\]]/g, '')}-${weight}-normal`;
  return {
    path: join(packageFolder(family), 'files', `${name}.woff2`),
    alias: name,
    claims: (codePoint) =>
      (rangesOf(family)[subset] ?? []).some(([low, high]) => codePoint >= low && codePoint <= high),
  };
}

function isEastAsian(codePoint: number): boolean {
  return (
    (codePoint >= 0x1100 && codePoint <= 0x11ff) ||
    (codePoint >= 0x2e80 && codePoint <= 0xd7ff) ||
    (codePoint >= 0xf900 && codePoint <= 0xfaff) ||
    (codePoint >= 0xfe30 && codePoint <= 0xfe4f) ||
    (codePoint >= 0xff00 && codePoint <= 0xffef) ||
    (codePoint >= 0x20000 && codePoint <= 0x323af)
  );
}

/** Arrows, circled numbers, stars and the like, which East Asian fonts keep. */
function isSymbol(codePoint: number): boolean {
  return codePoint >= 0x2010 && codePoint <= 0x2bff;
}

function isPictograph(codePoint: number): boolean {
  return /[\p{Extended_Pictographic}\p{Emoji_Component}]/u.test(String.fromCodePoint(codePoint)) && codePoint > 0x7f;
}

type Ranges = Readonly<Record<string, readonly (readonly [low: number, high: number])[]>>;
const ranges = new Map<string, Ranges>();

/** A package's own list, `U+0000-00FF,U+0131` a subset; read once. */
function rangesOf(family: string): Ranges {
  const known = ranges.get(family);
  if (known) return known;
  const listed: Record<string, string> = JSON.parse(readFileSync(join(packageFolder(family), 'unicode.json'), 'utf8'));
  const read: Ranges = Object.fromEntries(Object.entries(listed).map(([subset, text]) => [subset, parseRanges(text)]));
  ranges.set(family, read);
  return read;
}

function parseRanges(text: string): readonly (readonly [number, number])[] {
  return text.split(',').map((range) => {
    const [low, high] = range
      .replace(/^\s*U\+/i, '')
      .split('-')
      .map((hex) => Number.parseInt(hex, 16));
    return [low ?? 0, high ?? low ?? 0];
  });
}

function packageFolder(family: string): string {
  return dirname(require.resolve(`@fontsource/${family}/package.json`));
}
