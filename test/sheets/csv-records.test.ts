import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellSpans } from '../../sheets/csv/cell-spans.js';
import { type CsvRecord, readCsvRecords } from '../../sheets/csv/csv-records.js';
import { runs } from '../runs.js';
import { readPlainCsv } from './plain-csv.js';

interface Read {
  readonly records: readonly Pick<CsvRecord, 'cells' | 'line'>[];
  readonly bytes: readonly string[];
  readonly openQuoteLine: number | null;
}

/** Reads in pieces of the given size, so that every edge falls anywhere. */
async function read(text: string, delimiter: string, pieceBytes: number): Promise<Read> {
  const whole = Buffer.from(text);
  async function* pieces() {
    for (let at = 0; at < whole.length; at += pieceBytes) yield whole.subarray(at, at + pieceBytes);
  }
  const records: Pick<CsvRecord, 'cells' | 'line'>[] = [];
  const bytes: string[] = [];
  let openQuoteLine: number | null = null;
  for await (const page of readCsvRecords(pieces(), { delimiter, firstLine: 1 })) {
    for (const record of page.records) {
      records.push({ cells: record.cells, line: record.line });
      bytes.push(record.bytes().toString());
    }
    if (page.ended) openQuoteLine = page.ended.line;
  }
  return { records, bytes, openQuoteLine };
}

const delimiters = [',', ';', '\t', '|'];
const shape = fc.record({
  delimiter: fc.constantFrom(...delimiters),
  lineEnd: fc.constantFrom('\r\n', '\n', '\r'),
  lastEnd: fc.boolean(),
  pieceBytes: fc.constantFrom(1, 2, 3, 7, 64, 4096),
});
const cellText = fc.oneof(
  fc.string({
    unit: fc.constantFrom('a', 'b', ' ', '"', ',', ';', '|', '\t', '\r', '\n', 'é', '漢', '😀'),
    maxLength: 8,
  }),
  fc.constantFrom('', 'A runner at dawn', '16:9', '"', '""', '\r\n', 'x'.repeat(200)),
);

describe('readCsvRecords', { timeout: 60_000 }, () => {
  test('gives back whatever was written, under every delimiter and line end, with the right lines', async () => {
    const table = fc.array(
      fc.array(fc.record({ text: cellText, quoted: fc.boolean() }), { minLength: 1, maxLength: 5 }),
      {
        minLength: 1,
        maxLength: 8,
      },
    );
    await fc.assert(
      fc.asyncProperty(table, shape, async (rows, { delimiter, lineEnd, lastEnd, pieceBytes }) => {
        const lines = rows.map((cells) => cells.map((cell) => written(cell, delimiter)).join(delimiter));
        const text = lines.join(lineEnd) + (lastEnd ? lineEnd : '');
        fc.pre(text !== '' && (lastEnd || lines.at(-1) !== ''));
        const found = await read(text, delimiter, pieceBytes);
        expect(found.records.map(({ cells }) => cells)).toEqual(rows.map((cells) => cells.map((cell) => cell.text)));
        expect(found.bytes.join('')).toBe(text);
        expect(found).toMatchObject(readPlainCsv(text, delimiter));
      }),
      { numRuns: runs(150) },
    );
  });

  test('agrees with another reader on damaged text, whatever the damage', async () => {
    const noise = fc.string({ unit: fc.constantFrom('a', '"', '"', ',', '\n', '\r', ' ', 'é'), maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(noise, shape, async (text, { delimiter, pieceBytes }) => {
        const found = await read(text, delimiter, pieceBytes);
        const plain = readPlainCsv(text, delimiter);
        expect(found.records).toEqual(plain.records);
        expect(found.openQuoteLine).toBe(plain.openQuoteLine);
      }),
      { numRuns: runs(600) },
    );
  });

  test('the spans of a record are its cells, as they are written', async () => {
    const noise = fc.string({ unit: fc.constantFrom('a', '"', ',', ' ', 'é'), maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(noise, async (text) => {
        const { records } = await read(text, ',', 64);
        fc.pre(records.length === 1);
        const bytes = Buffer.from(text);
        const spans = cellSpans(bytes, Buffer.from(','));
        const again = spans.map(({ start, end }) => readPlainCsv(bytes.toString('utf8', start, end), '\0').records[0]);
        expect(again.map((record) => record?.cells[0] ?? '')).toEqual(records[0]?.cells);
        expect(spans.map(({ start, end }) => bytes.toString('utf8', start, end)).join(',')).toBe(text);
      }),
      { numRuns: runs(500) },
    );
  });

  test('a CRLF over the edge of two pieces is one line end', async () => {
    const { records } = await read('a\r\n"b\r\nc"\r\nd', ',', 2);
    expect(records.map(({ line }) => line)).toEqual([1, 2, 4]);
  });
});

function written({ text, quoted }: { readonly text: string; readonly quoted: boolean }, delimiter: string): string {
  const must = text.includes(delimiter) || /["\r\n]/.test(text);
  return quoted || must ? `"${text.replaceAll('"', '""')}"` : text;
}
