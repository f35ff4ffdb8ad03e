import type { Money } from '../domain/money.js';
import { csvLine, plainAmount } from './csv-line.js';

/** What stands in a cell of a sheet that we write: text, a whole number, money, or a file next to the sheet. */
export type Cell = string | number | Money | FileLink | null;

export interface FileLink {
  /** From the folder of the sheet, with `/`. */
  readonly file: string;
}

/** One line of CSV: numbers as numbers, a file by its path. */
export function csvRow(cells: readonly Cell[]): string {
  return csvLine(cells.map(csvText));
}

function csvText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return cell;
  if (typeof cell === 'number') return String(cell);
  return 'file' in cell ? cell.file : plainAmount(cell);
}
