import { CsvError, Parser } from 'csv-parse';
import type { Excerpt } from '../findings/finding.js';
import { cellSpans } from './cell-spans.js';
import { countLineEnds, RecordBytes } from './record-bytes.js';
import { recordExcerpt } from './record-excerpt.js';

/** A class, since there are 100,000 of them and each still knows its bytes. */
export class CsvRecord {
  readonly cells: readonly string[];
  readonly line: number;
  /** Offset of its first byte. */
  readonly start: number;
  readonly #end: number;
  readonly #of: RecordBytes;

  constructor(cells: readonly string[], start: number, end: number, of: RecordBytes) {
    this.cells = cells;
    this.line = of.lineAt(start);
    this.start = start;
    this.#end = end;
    this.#of = of;
  }

  /** Its bytes with its line end; call it before the next page is read. */
  bytes(): Buffer {
    return this.#of.slice(this.start, this.#end);
  }
}

/** Why reading ended early, and where. */
export interface CsvEnd {
  readonly reason: 'open_quote' | 'too_long';
  readonly line: number;
  /** Place of the cell in its record, from 0; null for the record as a whole. */
  readonly cell: number | null;
  readonly excerpt: Excerpt;
}

export interface CsvPage {
  readonly records: readonly CsvRecord[];
  readonly ended: CsvEnd | null;
}

export interface CsvOptions {
  readonly delimiter: string;
  /** Line of the first byte; later than 1 if a `sep=` line was cut off. */
  readonly firstLine: number;
}

/**
 * The longest row. A prompt has at most 8,000 characters, so no useful row is longer; this limits what a file can make
 * us hold, be it one cell or a million columns.
 */
export const maxRecordBytes = 1024 * 1024;

/** The quoting that spreadsheets write and accept. Blank records are kept: they count as rows. */
export const csvDialect = {
  columns: false,
  relax_column_count: true,
  relax_quotes: true,
  record_delimiter: ['\r\n', '\n', '\r'],
};

/** Reads records from UTF-8 bytes, a page per piece of the stream. Nothing after a fault is read. */
export async function* readCsvRecords(
  utf8: AsyncIterable<Buffer>,
  { delimiter, firstLine }: CsvOptions,
): AsyncGenerator<CsvPage, void, undefined> {
  const bytes = new RecordBytes(firstLine);
  let lastEnd = 0;
  let page: CsvRecord[] = [];
  const parser = new RecordParser(delimiter, (cells, end) => {
    page.push(new CsvRecord(cells, lastEnd, end, bytes));
    lastEnd = end;
  });
  parser.on('error', () => {}); // each write gets it
  parser.resume();
  for await (const piece of utf8) {
    bytes.forget(lastEnd);
    bytes.add(piece);
    await written(parser, piece);
    if (page.length > 0) yield { records: page, ended: null };
    page = [];
    if (bytes.end - lastEnd > maxRecordBytes) break;
  }
  const tooLong = bytes.end - lastEnd > maxRecordBytes;
  const start = lastEnd;
  const error = await ended(parser);
  // The parser makes a record even of one that is too long, from what it has seen of it.
  if (page.length > 0 && !tooLong) yield { records: page, ended: null };
  if (error !== null) yield { records: [], ended: endOf('open_quote', tooLong ? start : lastEnd) };
  else if (tooLong) yield { records: [], ended: endOf('too_long', start) };

  function endOf(reason: CsvEnd['reason'], from: number): CsvEnd {
    const line = bytes.lineAt(from);
    const record = bytes.slice(from, bytes.end);
    const spans = cellSpans(record, Buffer.from(delimiter));
    const last = spans.at(-1);
    const span = reason === 'open_quote' && last ? last : { start: 0, end: record.length };
    const cell = reason === 'open_quote' ? spans.length - 1 : null;
    const linesBefore = countLineEnds(record.subarray(0, span.start));
    return { reason, line: line + linesBefore, cell, excerpt: recordExcerpt(record, line, span) };
  }
}

/**
 * The library's parser, passing on each record with the place of its end as soon as it is there. Its own `info` option
 * does the same by copying all its counters for each record, which takes a quarter of the time; and nothing waits in a
 * stream.
 */
class RecordParser extends Parser {
  readonly #hand: (cells: string[], end: number) => void;
  readonly #counts: { records: number };

  constructor(delimiter: string, hand: (cells: string[], end: number) => void) {
    super({ ...csvDialect, delimiter });
    this.#hand = hand;
    this.#counts = this.info;
  }

  override push(record: string[] | null): boolean {
    if (record === null) return super.push(null);
    this.#hand(record, this.info.bytes);
    // To the parser each record is its first, so that none has an unexpected length: for such a record it makes an
    // error that nobody reads, which takes fifty times as long as the record.
    this.#counts.records = 0;
    return true;
  }
}

function written(parser: Parser, piece: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    parser.write(piece, (error) => (error ? reject(error) : resolve()));
  });
}

/** Ends the parser; returns the error of a quote that is still open, the only one possible in its dialect. */
function ended(parser: Parser): Promise<CsvError | null> {
  return new Promise((resolve, reject) => {
    parser.once('error', (error) => {
      if (error instanceof CsvError && error.code === 'CSV_QUOTE_NOT_CLOSED') resolve(error);
      else reject(error);
    });
    parser.once('end', () => resolve(null));
    parser.end();
  });
}
