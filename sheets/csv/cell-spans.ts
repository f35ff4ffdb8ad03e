/** Where a cell's bytes are within its record. */
export interface CellSpan {
  readonly start: number;
  readonly end: number;
  /** Whether it began with a quote. */
  readonly quoted: boolean;
  /** Offset of a quote that closed the cell although text follows it. */
  readonly strayQuote: number | null;
  /** Offset of the quote that opened and was never closed. */
  readonly openQuote: number | null;
}

const quote = 0x22;

/**
 * Finds the cells of one record, as the parser divides it: quotes double inside quotes; a quote with text after it ends
 * the quoting and stays in the text; a quote within unquoted text is text.
 */
export function cellSpans(record: Buffer, delimiter: Buffer): readonly CellSpan[] {
  const spans: CellSpan[] = [];
  let start = 0;
  while (start <= record.length) {
    const span = cellFrom(record, start, delimiter);
    spans.push(span);
    if (span.end >= record.length || isLineEnd(record[span.end])) break;
    start = span.end + delimiter.length;
  }
  return spans;
}

function cellFrom(record: Buffer, start: number, delimiter: Buffer): CellSpan {
  const quoted = record[start] === quote;
  let quoting = quoted;
  let strayQuote: number | null = null;
  let at = quoted ? start + 1 : start;
  for (; at < record.length; at += 1) {
    if (!quoting) {
      if (isLineEnd(record[at]) || isDelimiter(record, at, delimiter)) break;
      continue;
    }
    if (record[at] !== quote) continue;
    if (record[at + 1] === quote) {
      at += 1;
      continue;
    }
    quoting = false;
    const closes = at + 1 >= record.length || isLineEnd(record[at + 1]) || isDelimiter(record, at + 1, delimiter);
    if (!closes) strayQuote = at;
  }
  return { start, end: at, quoted, strayQuote, openQuote: quoting ? start : null };
}

function isDelimiter(record: Buffer, at: number, delimiter: Buffer): boolean {
  if (record[at] !== delimiter[0]) return false;
  return delimiter.length === 1 || record.subarray(at, at + delimiter.length).equals(delimiter);
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === 0x0a || byte === 0x0d;
}
