import { csvLine as plainLine } from '../domain/cells/csv-line.js';
import { neutraliseFormula } from '../domain/cells/formula-cell.js';
import { formatAmount, type Money } from '../domain/money.js';

/** A spreadsheet takes a file without it for its own country's encoding, and one with it for UTF-8. */
export const byteOrderMark = '\ufeff';

/** A line for spreadsheets. Cells that a spreadsheet would run as a formula are written so that it does not. */
export function csvLine(cells: readonly string[]): string {
  return plainLine(cells.map((cell) => (isNumber.test(cell) ? cell : neutraliseFormula(cell))));
}

/** A credit is a number, and no formula for its sign. */
const isNumber = /^-?\d+(?:\.\d+)?$/;

/** An amount as a plain number, `-1234.50`: its currency has a column of its own. */
export function plainAmount(money: Money): string {
  return formatAmount(money).replaceAll(',', '');
}

/** `2026-11-28 13:02:11`, in UTC: what spreadsheets take for a moment. */
export function csvTime(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 19).replace('T', ' ');
}
