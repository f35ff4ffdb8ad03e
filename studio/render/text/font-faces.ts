import { join } from 'node:path';
import type { Voice } from '../look/look.js';
import { packageFolder, rangesOf } from './font-package.js';

/** One font file, of all weights or of one, and the characters that its package says it is for. */
export interface Face {
  readonly path: string;
  readonly alias: string;
  readonly claims: (codePoint: number) => boolean;
}

/** What the text is written in, where the same characters are drawn differently by language. */
export type HanStyle = 'sc' | 'jp' | 'kr';

const interSubsets = ['latin', 'latin-ext', 'vietnamese', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext'];
/** One package per script, named like its subset; all weights in one file. */
const scripts = [
  ...['arabic', 'hebrew', 'bengali', 'gurmukhi', 'gujarati', 'oriya', 'tamil', 'telugu', 'kannada', 'malayalam'],
  ...['sinhala', 'thai', 'lao', 'khmer', 'myanmar', 'georgian', 'armenian', 'ethiopic', 'thaana', 'cherokee'],
  ...['canadian-aboriginal'],
];
/** These have one weight only. */
const scriptsOfOneWeight = ['adlam', 'javanese', 'nko', 'ol-chiki', 'tifinagh', 'vai', 'yi'];
const hanOrders = { sc: ['sc', 'jp', 'kr'], jp: ['jp', 'sc', 'kr'], kr: ['kr', 'sc', 'jp'] } as const;

/**
 * The faces to try for a character, best first, in groups: a group is made when the groups before it had none, since
 * the lists of the East Asian families alone take a tenth of a second to read. Nothing is read from a font file yet.
 */
export function faceGroups(voice: Voice | 'label', han: HanStyle): readonly (() => readonly Face[])[] {
  return [
    () =>
      voice === 'grotesk' ? ['latin', 'latin-ext', 'vietnamese'].map((subset) => face('space-grotesk', subset)) : [],
    () => interSubsets.map((subset) => face('inter', subset)),
    () => ['devanagari', 'latin-ext', 'cyrillic-ext', 'greek-ext'].map((subset) => face('noto-sans', subset)),
    ...scripts.map((script) => () => [face(`noto-sans-${script}`, script)]),
    () => [face('noto-serif-tibetan', 'tibetan')],
    ...scriptsOfOneWeight.map((script) => () => [faceOfOneWeight(`noto-sans-${script}`, script)]),
    () => [{ ...faceOfOneWeight('noto-color-emoji', 'emoji'), claims: isPictograph }],
    ...hanOrders[han].map((style) => () => hanFaces(style)),
    () => [
      faceOfOneWeight('noto-sans-symbols-2', 'symbols'),
      { ...faceOfOneWeight('noto-sans-math', 'latin'), claims: isMathematicalLetter },
    ],
  ];
}

/** East Asian families come in some hundred slices, the usual characters in the last ones. */
function hanFaces(style: HanStyle): readonly Face[] {
  const family = `noto-sans-${style}`;
  const slices = Object.keys(rangesOf(variable(family))).filter((subset) => subset.startsWith('['));
  return slices.reverse().map((slice) => {
    const one = face(family, slice);
    return { ...one, claims: (codePoint) => (isEastAsian(codePoint) || isSymbol(codePoint)) && one.claims(codePoint) };
  });
}

const variable = (family: string) => `@fontsource-variable/${family}`;

function face(family: string, subset: string): Face {
  return faceOf({ name: variable(family), subset, file: `${family}-${subset.replace(/[[\]]/g, '')}-wght-normal` });
}

function faceOfOneWeight(family: string, subset: string): Face {
  return faceOf({ name: `@fontsource/${family}`, subset, file: `${family}-${subset}-400-normal` });
}

interface FaceOfPackage {
  readonly name: string;
  readonly subset: string;
  readonly file: string;
}

function faceOf({ name, subset, file }: FaceOfPackage): Face {
  return {
    path: join(packageFolder(name), 'files', `${file}.woff2`),
    alias: file,
    claims: (codePoint) => (rangesOf(name)[subset] ?? []).some(([low, high]) => codePoint >= low && codePoint <= high),
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

/** 𝐁𝐨𝐥𝐝 and 𝓼𝓬𝓻𝓲𝓹𝓽, as people paste them; the package lists plain Latin. */
function isMathematicalLetter(codePoint: number): boolean {
  return codePoint >= 0x1d400 && codePoint <= 0x1d7ff;
}

function isPictograph(codePoint: number): boolean {
  return /[\p{Extended_Pictographic}\p{Emoji_Component}]/u.test(String.fromCodePoint(codePoint)) && codePoint > 0x7f;
}
