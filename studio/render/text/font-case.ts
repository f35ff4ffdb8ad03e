import { readFileSync } from 'node:fs';
import { GlobalFonts } from '@napi-rs/canvas';
import type { Voice } from '../look/look.js';
import { type Face, faceGroups, type HanStyle } from './font-faces.js';
import { readCoverage } from './woff2-coverage.js';

/** Characters that have no shape of their own: spaces, joiners, direction marks, variation selectors. */
const shapeless = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]$/u;
const space = 0x20;
const weights: Readonly<Record<Voice | 'label', number>> = {
  grotesk: 700,
  poster: 900,
  fine: 300,
  plain: 700,
  label: 500,
};
/** A thin stroke of Chinese or Arabic at the size of a caption is lost in video: scripts other than Latin get more. */
const thinnestElsewhere = 400;

interface VoiceFaces {
  readonly made: Face[];
  readonly waiting: (() => readonly Face[])[];
}

/**
 * The fonts of one film. A font file is read and registered when the first character needs it: Latin text takes a
 * millisecond, Chinese 60 ms, emoji 200 ms. Which font has a character is read from the font itself, because a canvas
 * draws what is missing as nothing at all, or in whatever the machine has.
 */
export class FontCase {
  readonly #han: HanStyle;
  readonly #voices = new Map<Voice | 'label', VoiceFaces>();
  readonly #coverage = new Map<string, ReadonlySet<number>>();
  readonly #found = new Map<string, Face | null>();

  constructor(han: HanStyle) {
    this.#han = han;
  }

  /** CSS weight and family list for exactly this text, best first, without machine fonts. */
  fontFor(text: string, voice: Voice | 'label'): { readonly weight: number; readonly families: string } {
    const needed = new Set([this.#faceOf(space, voice)]);
    for (const character of text) needed.add(this.#faceOf(character.codePointAt(0) ?? space, voice));
    const ordered = this.#facesOf(voice).made.filter((face) => needed.has(face));
    const elsewhere = ordered.some(({ alias }) => alias.startsWith('noto-'));
    return {
      weight: Math.max(weights[voice], elsewhere ? thinnestElsewhere : 0),
      families: ordered.map(({ alias }) => `"${alias}"`).join(', '),
    };
  }

  /** The characters of a text that no font here can draw, each once. */
  missing(text: string, voice: Voice | 'label'): readonly string[] {
    const characters = new Set(text);
    return [...characters].filter(
      (character) => !shapeless.test(character) && !this.#faceOf(character.codePointAt(0) ?? 0, voice),
    );
  }

  #faceOf(codePoint: number, voice: Voice | 'label'): Face | null {
    const key = `${voice} ${codePoint}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const face = this.#findFace(codePoint, this.#facesOf(voice));
    this.#found.set(key, face);
    return face;
  }

  #findFace(codePoint: number, { made, waiting }: VoiceFaces): Face | null {
    const suits = (face: Face) => face.claims(codePoint) && this.#has(face, codePoint);
    const face = made.find(suits);
    if (face) return face;
    for (let group = waiting.shift(); group; group = waiting.shift()) {
      const faces = group();
      made.push(...faces);
      const found = faces.find(suits);
      if (found) return found;
    }
    return null;
  }

  #facesOf(voice: Voice | 'label'): VoiceFaces {
    const faces = this.#voices.get(voice) ?? { made: [], waiting: [...faceGroups(voice, this.#han)] };
    this.#voices.set(voice, faces);
    return faces;
  }

  #has(face: Face, codePoint: number): boolean {
    let coverage = this.#coverage.get(face.alias);
    if (!coverage) {
      const file = readFileSync(face.path);
      coverage = readCoverage(file);
      this.#coverage.set(face.alias, coverage);
      if (!GlobalFonts.has(face.alias) && !GlobalFonts.register(file, face.alias)) {
        throw new Error(`Cannot use the font "${face.alias}": the canvas refused its file`);
      }
    }
    return coverage.has(codePoint);
  }
}

/** Kana means Japanese, Hangul Korean; Han alone is taken for Chinese. */
export function hanStyleOf(text: string): HanStyle {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'jp';
  return /\p{Script=Hangul}/u.test(text) ? 'kr' : 'sc';
}
