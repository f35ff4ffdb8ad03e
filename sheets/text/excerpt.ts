import type { Excerpt } from '../findings/finding.js';

/** Returns the line of a text on which the part from `from` to `to` begins, and that part of it. */
export function excerptOf(text: string, { from, to, line }: { from: number; to: number; line: number }): Excerpt {
  const start = Math.max(text.lastIndexOf('\n', from - 1), text.lastIndexOf('\r', from - 1)) + 1;
  const length = /[\r\n]/.exec(text.slice(from, from + maxLineLength))?.index;
  const end = from + (length ?? Math.min(maxLineLength, text.length - from));
  const shown = text.slice(start, end);
  return { line, text: shown, from: from - start, to: Math.max(from - start, Math.min(to, end) - start) };
}

/** Lines are shown in part only, so the end of a longer one need not be found. */
const maxLineLength = 20_000;
