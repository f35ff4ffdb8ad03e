import { widthOf } from './width-of.js';

/** Columns of a terminal, or of whoever reads its output. */
export function columnsOf(
  stream: { readonly isTTY?: boolean; readonly columns?: number },
  env: Readonly<Record<string, string | undefined>>,
): number {
  const asked = Number(env.COLUMNS);
  const columns = Number.isInteger(asked) && asked > 0 ? asked : (stream.columns ?? 80);
  return Math.max(20, columns);
}

/** How wide a line may be: a terminal's columns, and without end where a program reads, which is never cut short. */
export function roomOf(
  stream: { readonly isTTY?: boolean; readonly columns?: number },
  env: Readonly<Record<string, string | undefined>>,
): number {
  return stream.isTTY ? columnsOf(stream, env) : Number.POSITIVE_INFINITY;
}

/** Cuts the start of a name, where its end tells it apart: `…/spring/hero-16x9`. */
export function cutStart(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  for (const character of [...text].reverse()) {
    if (widthOf(character + kept) > width - 1) break;
    kept = character + kept;
  }
  return `…${kept}`;
}

/** Cuts the end of a sentence. */
export function cutEnd(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  for (const character of text) {
    if (widthOf(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/**
 * Breaks a sentence between words; later lines are indented. A word that is too long stays whole, and so does a command
 * that a line has room for: it may be copied. Where only the indentation is too much for a word, it has less of it.
 */
export function wrapWords(text: string, width: number, indent = '  '): string[] {
  if (widthOf(text) <= width) return [text];
  const lines: string[] = [];
  let line = '';
  const add = () => lines.push(lessIndented(((lines.length === 0 ? '' : indent) + line).trimEnd(), width));
  for (const word of withWholeCommands(wordsOf(text, width), width - widthOf(indent))) {
    const before = lines.length === 0 ? '' : indent;
    if (line !== '' && widthOf(before + line + word.trimEnd()) > width) {
      add();
      line = '';
    }
    line += word;
  }
  add();
  return lines;
}

function lessIndented(line: string, width: number): string {
  const words = line.trimStart();
  const over = widthOf(line) - width;
  return over > 0 && widthOf(words) <= width ? line.slice(over) : line;
}

/** Blanks go with the word before them, those at the start with the first. Scripts without blanks break anywhere. */
function wordsOf(text: string, width: number): string[] {
  const words = text.split(/(?<=\S +)(?=\S)/);
  return words.flatMap((word) => (widthOf(word) > width && hasNoBlanks.test(word) ? [...word] : [word]));
}

/** Joins the words of a command: from the program's name to the end of its clause. */
function withWholeCommands(words: readonly string[], width: number): string[] {
  const joined: string[] = [];
  for (let next = 0; next < words.length;) {
    const command = startsCommand.test(words[next] ?? '') ? commandAt(words, next) : [];
    const text = command.join('');
    const isWhole = command.length > 1 && widthOf(text.trimEnd()) <= width;
    joined.push(isWhole ? text : (words[next] ?? ''));
    next += isWhole ? command.length : 1;
  }
  return joined;
}

const startsCommand = /^["(]?greenlight $/;
const endsClause = /[;,.:)]\s*$|\s{2,}$/;

function commandAt(words: readonly string[], from: number): readonly string[] {
  const end = words.findIndex((word, index) => index >= from && endsClause.test(word));
  return words.slice(from, end === -1 ? words.length : end + 1);
}

const hasNoBlanks = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

export interface Column {
  readonly align?: 'right';
}

/** Rows as aligned columns, two spaces apart, without borders and without blanks at the ends of lines. */
export function alignColumns(rows: readonly (readonly string[])[], columns: readonly Column[] = []): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, widthOf(cell));
  }
  return rows.map((row) =>
    row
      .map((cell, index) => {
        const blank = ' '.repeat((widths[index] ?? 0) - widthOf(cell));
        return columns[index]?.align === 'right' ? blank + cell : cell + blank;
      })
      .join('  ')
      .trimEnd(),
  );
}
