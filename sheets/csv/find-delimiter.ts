import { parse } from 'csv-parse/sync';
import { csvDialect } from './csv-records.js';

export interface CsvStart {
  readonly delimiter: string;
  /** Bytes of a `sep=` line, which is no row. */
  readonly skippedBytes: number;
}

/** What separates cells in the world's spreadsheets. Where two fit equally the earlier one is taken. */
const candidates = [',', ';', '\t', '|', '^', ':'];
/** Rows that are looked at: a title or blank rows may come before the header. */
const rowsLookedAt = 10;

/**
 * The delimiter under which the header row has most known names. Never by counting characters: a prompt may have more
 * commas than a row has cells.
 *
 * @param head the first bytes of the text, UTF-8
 * @param namesIn how many cells of a row are names of columns
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
    parse(head, { ...csvDialect, delimiter, to: rowsLookedAt, on_record: keep });
  } catch {
    // The head may end inside a quoted cell; the rows before it are what matters.
  }
  return rows;
}
