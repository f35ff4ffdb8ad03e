import { cellSpans } from '../../sheets/csv/cell-spans.js';
import type { CsvRecord } from '../../sheets/csv/csv-records.js';
import { recordExcerpt } from '../../sheets/csv/record-excerpt.js';
import type { Excerpt, Finding } from '../../sheets/findings/finding.js';
import type { RawRow, TextFix } from './table.js';

/** What all rows of a file share. */
export interface CsvWriting {
  readonly delimiter: string;
  /** Bytes of the text before the first record. */
  readonly skippedBytes: number;
}

/** A record as a row that knows how its cells are written. A class, since there are 100,000 of them. */
export class CsvRow implements RawRow {
  readonly row: number;
  readonly line: number;
  readonly cells: readonly string[];
  readonly troubles: readonly Finding[];
  readonly #record: CsvRecord;
  readonly #writing: CsvWriting;

  constructor(record: CsvRecord, row: number, troubles: readonly Finding[], writing: CsvWriting) {
    this.row = row;
    this.line = record.line;
    this.cells = record.cells;
    this.troubles = troubles;
    this.#record = record;
    this.#writing = writing;
  }

  /** In quotes if it was in quotes or needs them. */
  fixesOf(column: number, value: string): readonly TextFix[] {
    const { delimiter, skippedBytes } = this.#writing;
    const span = this.#span(column);
    if (!span) return [];
    const needsQuotes = span.quoted || value.includes(delimiter) || /["\r\n]/.test(value);
    const text = needsQuotes ? `"${value.replaceAll('"', '""')}"` : value;
    const first = skippedBytes + this.#record.start;
    return [{ from: first + span.start, to: first + span.end, text }];
  }

  excerptOf(column: number): Excerpt | null {
    const span = this.#span(column);
    return span ? recordExcerpt(this.#record.bytes(), this.line, span) : null;
  }

  #span(column: number) {
    return cellSpans(this.#record.bytes(), Buffer.from(this.#writing.delimiter))[column];
  }
}
