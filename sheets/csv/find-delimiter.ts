import { parse } from 'csv-parse/sync';
import { csvDialect } from './csv-records.js';

export interface CsvStart {
  readonly delimiter: string;
  /** Bytes of a `sep=` line, which is not a row. */
  readonly skippedBytes: number;
}

/** What separates cells in the world's spreadsheets. If two fit equally, the earlier one is taken. */
const candidates = [',', ';', '\t', '|', '^', ':'];
/** How many rows are checked: a title or blank rows may come before the header. */
const rowsChecked = 10;

/**
 * Finds the delimiter with which the header row has the most known names. Characters are never counted: a prompt may
 * have more commas than a row has cells.
 *
 * @param head the first bytes of the text, UTF-8
 * @param namesIn how many cells of a row are known column names
 */
export function findDelimiter(head: Buffer, namesIn: (cells: readonly string[]) => number): CsvStart {
  const asked = /^"?sep=([^\r\n"])"?(\r\n|\n|\r)/i.exec(head.subarray(0, 16).toString('utf8'));
  if (asked?.[1] !== undefined) return { delimiter: asked[1], skippedBytes: Buffer.byteLength(asked[0]) };
  let best = { delimiter: ',', known: 0 };
  for (const delimiter of candidates) {
    const known = Math.max(0, ...firstRows(head, delimiter).map(namesIn));
    if (known > best.known) best = { delimiter, known };
  }
  return { delimiter: best.delimiter, skippedBytes: 0 };
}

function firstRows(head: Buffer, delimiter: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  const keep = (row: string[]) => {
    rows.push(row);
    return null;
  };
  try {
    parse(head, { ...csvDialect, delimiter, to: rowsChecked, on_record: keep });
  } catch {
    // The head may end inside a quoted cell; the rows before it are what matters.
  }
  return rows;
}
