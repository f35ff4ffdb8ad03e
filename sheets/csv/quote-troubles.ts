import type { Column } from '../column.js';
import { columnLetter, fieldNameOf } from '../column.js';
import { type Finding, findingAt, type Trouble } from '../findings/finding.js';
import { type CellSpan, cellSpans } from './cell-spans.js';
import type { CsvRecord } from './csv-records.js';

/** Whether to check a record's bytes: a cell in it begins with a quote or has several lines. */
export function looksDamaged(cells: readonly string[]): boolean {
  for (const cell of cells) {
    if (cell.charCodeAt(0) === 0x22) return true;
    if (cell.includes('\n') || cell.includes('\r')) return true;
    if (cell.charCodeAt(0) === 0x20 && cell.trimStart().startsWith('"')) return true;
  }
  return false;
}

interface Damaged {
  readonly record: CsvRecord;
  readonly row: number;
  readonly columns: readonly Column[];
  readonly delimiter: string;
  /** Whether cells, each in its column, look like a row of this kind of sheet. */
  readonly looksLikeRow: LooksLikeRow;
}

type LooksLikeRow = (cells: readonly string[], columns: readonly Column[]) => boolean;

/** Finds what wrong quotes did to a record. Rows that ended up inside a cell would be paid for as one movie. */
export function quoteTroubles({ record, row, columns, delimiter, looksLikeRow }: Damaged): readonly Finding[] {
  const findings: Finding[] = [];
  const spans = cellSpans(record.bytes(), Buffer.from(delimiter));
  for (const [index, cell] of record.cells.entries()) {
    const span = spans[index];
    const trouble = span && cellTrouble(span, cell, (text) => rowInside(text, columns, delimiter, looksLikeRow));
    if (!trouble) continue;
    const column = columns[index];
    const field = column ? fieldNameOf(column) : null;
    findings.push(findingAt({ row, line: record.line, column: columnLetter(index), field }, trouble));
  }
  return findings;
}

function cellTrouble(span: CellSpan, cell: string, inside: (cell: string) => Trouble | null): Trouble | null {
  if (span.strayQuote !== null) return strayQuote(cell);
  return span.quoted ? inside(cell) : quoteAfterBlank(cell);
}

function strayQuote(cell: string): Trouble {
  const spansLines = /[\r\n]/.test(cell);
  return {
    severity: spansLines ? 'error' : 'warning',
    code: 'stray_quote',
    message: spansLines
      ? 'a quote opens this cell, runs over several lines and ends in the middle of text, so it may contain whole rows; double the quotes that are text'
      : 'a quote ends in the middle of the text of this cell; double the quotes that are text',
    before: cell,
  };
}

function quoteAfterBlank(cell: string): Trouble | null {
  if (!/^\s+"/.test(cell)) return null;
  const message = 'a blank before the opening quote makes the quote text; remove the blank';
  return { severity: 'error', code: 'blank_before_quote', message, before: cell };
}

function rowInside(
  cell: string,
  columns: readonly Column[],
  delimiter: string,
  looksLikeRow: LooksLikeRow,
): Trouble | null {
  const lines = cell.split(/\r\n|\n|\r/);
  if (lines.length < 2) return null;
  const inside = lines.slice(1).find((line) => {
    const cells = line.split(delimiter);
    return Math.abs(cells.length - columns.length) <= 1 && columns.length > 2 && looksLikeRow(cells, columns);
  });
  if (inside === undefined) return null;
  const message = `contains a whole row of the sheet (${inside.slice(0, 40)}…); a quote is missing above it`;
  return { severity: 'error', code: 'row_in_cell', message, before: cell };
}
