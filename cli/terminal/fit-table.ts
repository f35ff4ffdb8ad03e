import { alignColumns, type Column, wrapWords } from './text-width.js';
import { widthOf } from './width-of.js';

export interface FitOptions {
  /** How wide a line may be. */
  readonly columns: number;
  readonly align?: readonly Column[];
  /** Set before every line. */
  readonly indent?: string;
}

/** Narrower than this a last column is no longer readable beside the others. */
const leastLast = 24;

/**
 * Rows as aligned columns in a width, with nothing cut: a last column that is too wide is broken between words, and
 * where the others alone are too wide each row takes lines of its own. What stands in a cell may have to be typed.
 */
export function fitTable(rows: readonly (readonly string[])[], options: FitOptions): string[] {
  const { columns, align = [], indent = '' } = options;
  const room = columns - widthOf(indent);
  const aligned = alignColumns(rows, align);
  if (aligned.every((line) => widthOf(line) <= room)) return aligned.map((line) => indent + line);
  const last = Math.max(...rows.map((row) => row.findLastIndex((cell) => cell !== '')));
  const left = alignColumns(
    rows.map((row) => row.slice(0, last)),
    align,
  );
  const offset = Math.max(...left.map(widthOf)) + 2;
  if (last > 0 && offset + leastLast <= room) {
    return rows.flatMap((row, index) => {
      const head = left[index] ?? '';
      const cell = row[last] ?? '';
      if (cell === '') return [indent + head];
      // A path that does not fit beside the others has the whole width.
      if (longestWord(cell) > room - offset) return stacked(row, room).map((line) => indent + line);
      const blank = ' '.repeat(offset - widthOf(head));
      const [first = '', ...rest] = wrapWords(cell, room - offset, '');
      return [indent + head + blank + first, ...rest.map((line) => indent + ' '.repeat(offset) + line)];
    });
  }
  return rows.flatMap((row) => stacked(row, room).map((line) => indent + line));
}

function longestWord(text: string): number {
  return Math.max(...wrapWords(text, 1, '').map(widthOf));
}

/** One row on lines of its own, the later ones indented. */
function stacked(row: readonly string[], room: number): string[] {
  const cells = row.filter((cell) => cell !== '');
  const lines: string[] = [];
  for (const cell of cells) {
    const line = lines.at(-1);
    if (line !== undefined && widthOf(line) + 2 + widthOf(cell) <= room) lines[lines.length - 1] = `${line}  ${cell}`;
    else lines.push(...wrapWords(lines.length === 0 ? cell : `  ${cell}`, room, '    '));
  }
  return lines;
}
