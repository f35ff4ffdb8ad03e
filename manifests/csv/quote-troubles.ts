import type { Column } from '../column.js';
import { columnLetter, fieldNameOf } from '../column.js';
import { readAspectRatio } from '../fields/aspect-ratio.js';
import { readDuration } from '../fields/duration.js';
import { type Finding, findingAt, type Trouble } from '../finding.js';
import { rowKeyRule } from '../row-key.js';
import { type CellSpan, cellSpans } from './cell-spans.js';
import type { CsvRecord } from './csv-records.js';

/** Whether a record is worth a look at its bytes: a cell in it begins with a quote, or is of several lines. */
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
}

/** What quoting gone wrong did to a record. Rows that ended inside a cell would be paid for as one movie. */
export function quoteTroubles({ record, row, columns, delimiter }: Damaged): readonly Finding[] {
  const findings: Finding[] = [];
  const spans = cellSpans(record.bytes(), Buffer.from(delimiter));
  for (const [index, cell] of record.cells.entries()) {
    const span = spans[index];
    const trouble = span && cellTrouble(span, cell, columns, delimiter);
    if (!trouble) continue;
    const column = columns[index];
    const field = column ? fieldNameOf(column) : null;
    findings.push(findingAt({ row, line: record.line, column: columnLetter(index), field }, trouble));
  }
  return findings;
}

function cellTrouble(span: CellSpan, cell: string, columns: readonly Column[], delimiter: string): Trouble | null {
  if (span.strayQuote !== null) return strayQuote(cell);
  return span.quoted ? rowInside(cell, columns, delimiter) : quoteAfterBlank(cell);
}

function strayQuote(cell: string): Trouble {
  const spansLines = /[\r\n]/.test(cell);
  return {
    severity: spansLines ? 'error' : 'warning',
    code: 'stray_quote',
    message: spansLines
      ? 'a quote opens this cell, runs over several lines and ends amid text, so rows may be inside; double quotes that are text'
      : 'a quote ends amid the text of this cell; double quotes that are text',
    before: cell,
  };
}

function quoteAfterBlank(cell: string): Trouble | null {
  if (!/^\s+"/.test(cell)) return null;
  const message = 'a blank before the opening quote makes the quote text; remove the blank';
  return { severity: 'error', code: 'blank_before_quote', message, before: cell };
}

/** A line inside a cell that has an id, a prompt and a length or ratio, each in its column, is a row of the sheet. */
function rowInside(cell: string, columns: readonly Column[], delimiter: string): Trouble | null {
  const lines = cell.split(/\r\n|\n|\r/);
  if (lines.length < 2) return null;
  const inside = lines.slice(1).find((line) => {
    const cells = line.split(delimiter);
    return Math.abs(cells.length - columns.length) <= 1 && columns.length > 2 && looksLikeRow(cells, columns);
  });
  if (inside === undefined) return null;
  const message = `it has a whole row of the sheet inside (${inside.slice(0, 40)}…); a quote is missing above it`;
  return { severity: 'error', code: 'row_in_cell', message, before: cell };
}

function looksLikeRow(cells: readonly string[], columns: readonly Column[]): boolean {
  const cellOf = (field: string) => {
    const index = columns.findIndex(({ use }) => use.kind === 'field' && use.field === field);
    return index === -1 ? null : (cells[index]?.replaceAll('"', '').trim() ?? null);
  };
  const id = cellOf('id');
  const prompt = cellOf('prompt');
  if (id === null || !rowKeyRule.test(id) || prompt === null || prompt.length < 10) return false;
  const ratio = cellOf('aspect_ratio');
  const duration = cellOf('duration_seconds');
  if (ratio && 'ratio' in readAspectRatio(ratio)) return true;
  return Boolean(duration && 'seconds' in readDuration(duration));
}
