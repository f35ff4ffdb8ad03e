/** Width of a piece of text in pixels, as it will be drawn. */
export type Measure = (text: string) => number;

/** What a line must not break inside of. */
export interface Piece {
  readonly text: string;
  /** False between pieces that belong to one word, or to a text without spaces. */
  readonly spaceBefore: boolean;
}

const withoutSpaces =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Javanese}ー々〆]/u;
/** Must not begin a line: closing marks, and the small letters of Japanese. */
const clingsToPrevious = /^[\p{Pe}\p{Pf}、。，．・：；？！!?,.:;…‥ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ々％%°℃]/u;
/** Particles and endings of Japanese, which a reader takes together with the word before them. */
const particle = /^(?:[がをはにでともへのやかねよなだたて]|から|まで|より|です|ます|んで|ながら|たち|など)$/u;
/** What ends a phrase of Japanese: what follows begins the next one. */
const phraseEnd = /(?:[をはがのにへともで]|から|まで|より)$/u;
/** Endings and auxiliaries, which are written in kana: なり|そうだ, 飲|み|ながら. */
const ending = /^\p{Script=Hiragana}{1,4}$/u;
const japanese = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々〆]$/u;
const longestPhrase = 5;
/** Must not end a line. */
const clingsToNext = /[\p{Ps}\p{Pi}¿¡＄$£¥€]$/u;

/**
 * Breaks a text into lines that fit, of about equal width: a last line of one word looks like a mistake on a screen.
 * Where a script has no spaces it breaks between words all the same; a word wider than a line is cut.
 */
export function breakLines(
  text: string,
  { measure, width }: { readonly measure: Measure; readonly width: number },
): BrokenLines {
  const whole = piecesOf(text);
  const widthOf = once(measure);
  const pieces = whole.flatMap((piece) => (widthOf(piece.text) > width ? cut(piece, { measure, width }) : [piece]));
  const widths = pieces.map((piece) => widthOf(piece.text));
  const spaceWidth = measure('n n') - measure('nn');
  return { lines: arrange(pieces, { widths, spaceWidth, width }), cutsWords: pieces.length > whole.length };
}

/** Measuring is most of the work, and words come again. */
function once(measure: Measure): Measure {
  const known = new Map<string, number>();
  return (text) => {
    const width = known.get(text) ?? measure(text);
    known.set(text, width);
    return width;
  };
}

interface BrokenLines {
  readonly lines: readonly string[];
  readonly cutsWords: boolean;
}

interface Arrangement {
  readonly lines: number;
  /** Sum of the squares of what the lines leave empty: least where they are most alike. */
  readonly cost: number;
  /** First piece of the last line. */
  readonly from: number;
}

/** The fewest lines, and of all ways to have that few the most even one (as Knuth and Plass break paragraphs). */
function arrange(
  pieces: readonly Piece[],
  {
    widths,
    spaceWidth,
    width,
  }: { readonly widths: readonly number[]; readonly spaceWidth: number; readonly width: number },
): string[] {
  const best: Arrangement[] = [{ lines: 0, cost: 0, from: 0 }];
  for (let end = 1; end <= pieces.length; end++) {
    let lineWidth = 0;
    for (let from = end - 1; from >= 0; from--) {
      lineWidth += (widths[from] ?? 0) + (from + 1 < end && pieces[from + 1]?.spaceBefore ? spaceWidth : 0);
      const before = best[from];
      if (!before || (lineWidth > width && from < end - 1)) break;
      const one = { lines: before.lines + 1, cost: before.cost + (width - lineWidth) ** 2, from };
      if (isBetter(one, best[end])) best[end] = one;
    }
  }
  const lines: string[] = [];
  for (let end = pieces.length; end > 0; end = best[end]?.from ?? 0) {
    lines.unshift(lineOf(pieces.slice(best[end]?.from ?? 0, end)));
  }
  return lines;
}

function isBetter(one: Arrangement, other: Arrangement | undefined): boolean {
  return !other || one.lines < other.lines || (one.lines === other.lines && one.cost < other.cost);
}

function lineOf(pieces: readonly Piece[]): string {
  return pieces.map(({ text, spaceBefore }, index) => (index > 0 && spaceBefore ? ` ${text}` : text)).join('');
}

export function piecesOf(text: string): readonly Piece[] {
  return text
    .split(/\s+/u)
    .filter((word) => word !== '')
    .flatMap((word) => wordPieces(word).map((piece, index) => ({ text: piece, spaceBefore: index === 0 })));
}

/** Latin words break after a hyphen or a slash; text without spaces between its words. */
function wordPieces(word: string): string[] {
  if (!withoutSpaces.test(word)) return word.match(/[^-/–—]*[-/–—]+|[^-/–—]+$/gu) ?? [word];
  const segments = [...new Intl.Segmenter('ja', { granularity: 'word' }).segment(word)].map(({ segment }) => segment);
  const pieces: string[] = [];
  for (const segment of segments) {
    const previous = pieces.at(-1);
    if (previous !== undefined && belongTogether(previous, segment)) {
      pieces[pieces.length - 1] = previous + segment;
    } else {
      pieces.push(segment);
    }
  }
  return pieces;
}

function belongTogether(previous: string, segment: string): boolean {
  if (clingsToPrevious.test(segment) || clingsToNext.test(previous)) return true;
  if (particle.test(segment)) return /[\p{L}\p{N}々ー]$/u.test(previous);
  if (!japanese.test(previous)) return false;
  if (/^\p{Script=Han}$/u.test(segment))
    return /\p{Script=Han}$/u.test(previous) && [...previous].length < longestPhrase;
  return ending.test(segment) && !phraseEnd.test(previous) && [...(previous + segment)].length <= longestPhrase + 3;
}

function cut(piece: Piece, { measure, width }: { readonly measure: Measure; readonly width: number }): Piece[] {
  const parts: string[] = [];
  let part = '';
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(piece.text)) {
    if (part !== '' && measure(part + segment) > width) {
      parts.push(part);
      part = '';
    }
    part += segment;
  }
  parts.push(part);
  return parts.map((text, index) => ({ text, spaceBefore: index === 0 && piece.spaceBefore }));
}
