import { typographic } from '../text/typography.js';
import { heading, readLine, readSentence, wantsNoText } from './directions.js';
import { sentencesOf } from './sentences.js';

/** Which parts of a brief are shown, and which are only followed. */
export interface ScreenText {
  /** In order, as they are printed. */
  readonly sentences: readonly string[];
  readonly directions: readonly string[];
  /** The scene heading that a sentence stands under. */
  readonly places: ReadonlyMap<string, string>;
  /** The brief asks for pictures without written words. */
  readonly silent: boolean;
}

/** If the whole brief is directions, these are what the pictures are about, and no word is shown. */
export function screenTextOf(prompt: string): ScreenText {
  const lines = prompt.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/u).map(readLine);
  const places = new Map<string, string>();
  let place = '';
  const parts = lines.flatMap(({ shown, directions }) => {
    place = directions.findLast((direction) => heading.test(direction)) ?? place;
    const sentences = sentencesOf(shown).map(readSentence);
    for (const sentence of sentences) if (place !== '') places.set(typographic(sentence.shown), place);
    return [{ shown: '', directions }, ...sentences];
  });
  const directions = parts.flatMap((part) => part.directions).filter((direction) => /[\p{L}\p{N}]/u.test(direction));
  const shown = parts.map((part) => part.shown).filter((text) => /[\p{L}\p{N}]/u.test(text));
  if (shown.length === 0) return { sentences: directions.map(typographic), directions, places, silent: true };
  return { sentences: shown.map(typographic), directions, places, silent: wantsNoText(directions) };
}
