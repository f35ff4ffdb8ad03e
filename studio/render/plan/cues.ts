import { piecesOf } from '../text/break-lines.js';
import { type Direction, directionOf, directionWithin } from '../text/typesetter.js';
import { readingSeconds } from './reading-time.js';

/** A caption, in seconds from the film's beginning. */
export interface Cue {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Two lines of 42 letters, the usual limit of players and broadcasters. */
const maximumLetters = 84;

/** Splits what is shown from `start` to `end` into captions, each as long as its part of the reading. Leaves out nothing. */
export function cuesOf({ start, end, text }: Cue): readonly Cue[] {
  const parts = captionParts(text);
  const weights = parts.map(readingSeconds);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let passed = 0;
  return parts.map((part, index) => {
    const from = start + ((end - start) * passed) / total;
    passed += weights[index] ?? 0;
    return { start: from, end: start + ((end - start) * passed) / total, text: part };
  });
}

function captionParts(text: string): readonly string[] {
  const count = Math.ceil(lettersIn(text) / maximumLetters);
  const limit = Math.min(maximumLetters, Math.ceil(lettersIn(text) / count) + 8);
  const parts: string[] = [];
  let part = '';
  for (const piece of piecesOf(text)) {
    const longer = part !== '' && piece.spaceBefore ? `${part} ${piece.text}` : part + piece.text;
    if (part !== '' && lettersIn(longer) > limit) {
      parts.push(part);
      part = piece.text;
    } else {
      part = longer;
    }
  }
  return part === '' ? parts : [...parts, part];
}

/** A square character takes the room of two letters. */
function lettersIn(text: string): number {
  const square = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0;
  return [...text].length + square;
}

/** The captions of a film in this direction as a WebVTT file (W3C WebVTT 1). */
export function webVtt(cues: readonly Cue[], direction: Direction): string {
  const blocks = cues.map(
    ({ start, end, text }) => `${stamp(start)} --> ${stamp(end)}\n${directed(escapeText(text), direction)}\n`,
  );
  return ['WEBVTT\n', ...blocks].join('\n');
}

const marks: Readonly<Record<Direction, string>> = { ltr: '\u200e', rtl: '\u200f' };

/** Players take a caption's direction from its first letter; where that misleads, an invisible mark comes before it. */
function directed(text: string, direction: Direction): string {
  const right = directionWithin(text, direction);
  return right === directionOf(text) ? text : marks[right] + text;
}

/** In whole milliseconds, so that the end of one caption is exactly the start of the next. */
function stamp(seconds: number): string {
  const ms = Math.round(seconds * 1_000);
  const parts = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, Math.floor(ms / 1_000) % 60];
  return `${parts.map((part) => String(part).padStart(2, '0')).join(':')}.${String(ms % 1_000).padStart(3, '0')}`;
}

/** `-->` must not stand in a caption; ampersands and brackets begin markup. */
function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
