import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import type { Voice } from '../look/look.js';
import { breakLines } from './break-lines.js';
import type { FontCase } from './font-case.js';

export interface TypeStyle {
  readonly voice: Voice | 'label';
  readonly sizePx: number;
}

/** A text broken into lines, with all that is needed to draw it. */
export interface SetText extends TypeStyle {
  /** As they are written. */
  readonly lines: readonly string[];
  /** As they are drawn: a poster is in capitals. */
  readonly shownLines: readonly string[];
  readonly lineHeightPx: number;
  readonly direction: Direction;
  /** Whether a word was too wide for a line. */
  readonly cutsWords: boolean;
  /** Widest line. */
  readonly widthPx: number;
}

const lineHeights: Readonly<Record<Voice | 'label', number>> = {
  grotesk: 1.12,
  poster: 1.04,
  fine: 1.22,
  plain: 1.16,
  label: 1.3,
};
/** In parts of the size; only for scripts whose letters stand apart, without marks. */
const trackings: Readonly<Record<Voice | 'label', number>> = {
  grotesk: -0.015,
  poster: -0.02,
  fine: 0,
  plain: -0.012,
  label: 0.01,
};

/** With marks above and below their letters, or letters that join. */
const tallScripts = anyScriptOf(
  'Arabic Adlam Bengali Devanagari Gujarati Gurmukhi Javanese Kannada Khmer Lao Malayalam Myanmar Nko Oriya Sinhala',
  'Tamil Telugu Thaana Thai Tibetan',
);
const squareScripts = anyScriptOf('Han Hiragana Katakana Hangul Yi');
const rightToLeft = anyScriptOf('Arabic Hebrew Syriac Thaana Nko Adlam');
const casedOnly = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Common}\p{Script=Inherited}]*$/u;
function anyScriptOf(...names: readonly string[]): RegExp {
  const classes = names.flatMap((list) => list.split(' ')).map((name) => `\\p{Script=${name}}`);
  return new RegExp(`[${classes.join('')}]`, 'u');
}

export type Direction = 'ltr' | 'rtl';

interface SetOptions {
  readonly width: number;
  /** Direction of the whole that the text is a part of; by default it stands alone. */
  readonly within?: Direction;
}

/** Measures and breaks text in the fonts of one film. */
export class Typesetter {
  readonly #fonts: FontCase;
  readonly #context: SKRSContext2D = createCanvas(1, 1).getContext('2d');

  constructor(fonts: FontCase) {
    this.#fonts = fonts;
  }

  /** The text without the characters that no font here can draw. */
  legible(text: string): string {
    return this.#fonts.legible(text);
  }

  set(wanted: string, { width, within, ...style }: TypeStyle & SetOptions): SetText {
    const text = this.legible(wanted);
    const capitals = style.voice === 'poster' && casedOnly.test(text);
    const shown = (piece: string) => (capitals ? piece.toLocaleUpperCase('en') : piece);
    this.prepare(this.#context, { text: shown(text), ...style });
    const measure = (piece: string) => this.#context.measureText(shown(piece)).width;
    const { lines, cutsWords } = breakLines(text, { measure, width });
    return {
      ...style,
      lines,
      cutsWords,
      shownLines: lines.map(shown),
      lineHeightPx: style.sizePx * this.#lineHeight(text, style.voice),
      direction: within ? directionWithin(text, within) : directionOf(text),
      widthPx: Math.max(0, ...lines.map(measure)),
    };
  }

  /** Sets font, direction and tracking for this text. */
  prepare(context: SKRSContext2D, { text, voice, sizePx }: TypeStyle & { readonly text: string }): void {
    const { weight, families } = this.#fonts.fontFor(text, voice);
    context.font = `${weight} ${sizePx}px ${families}`;
    context.direction = directionOf(text);
    context.letterSpacing = tallScripts.test(text) ? '0px' : `${trackings[voice] * sizePx}px`;
  }

  #lineHeight(text: string, voice: Voice | 'label'): number {
    if (tallScripts.test(text)) return Math.max(1.42, lineHeights[voice]);
    return squareScripts.test(text) ? Math.max(1.32, lineHeights[voice]) : lineHeights[voice];
  }
}

/** By the first letter that has a direction, as in the Unicode bidirectional algorithm (P2, P3). */
export function directionOf(text: string): Direction {
  const letter = /\p{L}/u.exec(text)?.[0];
  return letter !== undefined && rightToLeft.test(letter) ? 'rtl' : 'ltr';
}

/** A Hebrew sentence that begins with a Latin name goes on from right to left: only one without Hebrew does not. */
export function directionWithin(text: string, within: Direction): Direction {
  const goesAlong = [...text].some(
    (letter) => /\p{L}/u.test(letter) && rightToLeft.test(letter) === (within === 'rtl'),
  );
  return goesAlong ? within : directionOf(text);
}
