import type { TextFix } from '../table.js';
import { cellSpans } from './cell-spans.js';
import type { CsvRecord } from './csv-records.js';

/**
 * How cells of a record are to be written anew: in quotes where they were in quotes, or need them.
 *
 * @param skippedBytes before the first record, in the text
 */
export function cellFixer({ bytes, start }: CsvRecord, delimiter: string, skippedBytes: number) {
  return (column: number, value: string): readonly TextFix[] => {
    const span = bytes === null ? undefined : cellSpans(bytes, Buffer.from(delimiter))[column];
    if (!span) return [];
    const needsQuotes = span.quoted || value.includes(delimiter) || /["\r\n]/.test(value);
    const text = needsQuotes ? `"${value.replaceAll('"', '""')}"` : value;
    const first = skippedBytes + start;
    return [{ from: first + span.start, to: first + span.end, text }];
  };
}
