import { GlobalFonts } from '@napi-rs/canvas';
import type { Voice } from '../look/look.js';
import { FaceFinder } from './face-finder.js';
import type { Face, HanStyle } from './font-faces.js';

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

/**
 * The fonts of one film. A font file is registered when the first text needs it: Latin takes a millisecond, a page of
 * Chinese 60 ms, emoji 200 ms.
 */
export class FontCase {
  readonly #finder: FaceFinder;

  constructor(han: HanStyle) {
    this.#finder = new FaceFinder(han);
  }

  /** CSS weight and family list for exactly this text, best first, without machine fonts. */
  fontFor(text: string, voice: Voice | 'label'): { readonly weight: number; readonly families: string } {
    const needed = new Set([this.#finder.faceOf(space, voice)]);
    for (const character of text) needed.add(this.#finder.faceOf(character.codePointAt(0) ?? space, voice));
    const ordered = this.#finder.facesSoFar(voice).filter((face) => needed.has(face));
    for (const face of ordered) register(face);
    const elsewhere = ordered.some(({ alias }) => alias.startsWith('noto-'));
    return {
      weight: Math.max(weights[voice], elsewhere ? thinnestElsewhere : 0),
      families: ordered.map(({ alias }) => `"${alias}"`).join(', '),
    };
  }

  /** The text without the characters that no font here can draw. */
  legible(text: string): string {
    const missing = new Set(this.#finder.missing(text, 'plain'));
    return missing.size === 0 ? text : [...text].filter((character) => !missing.has(character)).join('');
  }
}

function register({ alias, path }: Face): void {
  if (!GlobalFonts.has(alias) && !GlobalFonts.registerFromPath(path, alias)) {
    throw new Error(`Cannot use the font "${alias}": the canvas refused its file`);
  }
}
