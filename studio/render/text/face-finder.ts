import { readFileSync } from 'node:fs';
import type { Voice } from '../look/look.js';
import { type Face, faceGroups, type HanStyle } from './font-faces.js';
import { readCoverage } from './woff2-coverage.js';

/** Characters that have no shape of their own: spaces, joiners, direction marks, variation selectors. */
const shapeless = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]$/u;

interface VoiceFaces {
  readonly made: Face[];
  readonly waiting: (() => readonly Face[])[];
}

/**
 * Which font has a character, read from the fonts themselves: a canvas draws what is missing as nothing at all, or in
 * whatever the machine has. A font file is read when the first character may be in it, and nothing is drawn or
 * registered here, so that a service can ask too.
 */
export class FaceFinder {
  readonly #han: HanStyle;
  readonly #voices = new Map<Voice | 'label', VoiceFaces>();
  readonly #coverage = new Map<string, ReadonlySet<number>>();
  readonly #found = new Map<string, Face | null>();

  constructor(han: HanStyle) {
    this.#han = han;
  }

  /** The best face for a character, or null. */
  faceOf(codePoint: number, voice: Voice | 'label'): Face | null {
    const key = `${voice} ${codePoint}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const face = this.#findFace(codePoint, this.#facesOf(voice));
    this.#found.set(key, face);
    return face;
  }

  /** The faces of a voice that have been read so far, best first. */
  facesSoFar(voice: Voice | 'label'): readonly Face[] {
    return this.#facesOf(voice).made;
  }

  /** The characters of a text that no font here can draw, each once. */
  missing(text: string, voice: Voice | 'label'): readonly string[] {
    const characters = new Set(text);
    return [...characters].filter(
      (character) => !shapeless.test(character) && !this.faceOf(character.codePointAt(0) ?? 0, voice),
    );
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

  #has({ alias, path }: Face, codePoint: number): boolean {
    const coverage = this.#coverage.get(alias) ?? readCoverage(readFileSync(path));
    this.#coverage.set(alias, coverage);
    return coverage.has(codePoint);
  }
}

/** Kana means Japanese, Hangul Korean; Han alone is taken for Chinese. */
export function hanStyleOf(text: string): HanStyle {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'jp';
  return /\p{Script=Hangul}/u.test(text) ? 'kr' : 'sc';
}
