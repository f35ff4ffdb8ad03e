import type { ManifestSource } from '../sheet-source.js';
import { decodeText } from '../text/decode-text.js';
import { detectEncoding, type TextEncoding } from '../text/encoding.js';
import { type CsvPage, maxRecordBytes, readCsvRecords } from './csv-records.js';
import { findDelimiter } from './find-delimiter.js';

/** A CSV text whose encoding and delimiter are known. */
export interface CsvText {
  readonly encoding: TextEncoding;
  readonly delimiter: string;
  /** Bytes of a `sep=` line, which is not a row. */
  readonly skippedBytes: number;
  /** Reads from the start, each time. */
  records(): AsyncGenerator<CsvPage, void, undefined>;
}

export interface CsvTextOptions {
  /** The encoding that a person stated. */
  readonly asked?: string | undefined;
  /** How many cells of a row are known column names. */
  readonly known: (cells: readonly string[]) => number;
}

/** @throws ManifestError when the bytes are not text, or not in the stated encoding. */
export async function openCsvText(source: ManifestSource, options: CsvTextOptions): Promise<CsvText> {
  const { asked, known } = options;
  const encoding = await detectEncoding(source.open(), asked);
  const { delimiter, skippedBytes } = findDelimiter(await firstBytes(source, encoding), known);
  const firstLine = skippedBytes > 0 ? 2 : 1;
  return {
    ...{ encoding, delimiter, skippedBytes },
    records: () =>
      readCsvRecords(withoutFirst(decodeText(source.open(), encoding), skippedBytes), { delimiter, firstLine }),
  };
}

const firstBytesWanted = 64 * 1024;

async function firstBytes(source: ManifestSource, encoding: TextEncoding): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of decodeText(source.open(), encoding)) {
    pieces.push(piece);
    length += piece.length;
    if (length >= firstBytesWanted) break;
  }
  return Buffer.concat(pieces).subarray(0, maxRecordBytes);
}

async function* withoutFirst(pieces: AsyncIterable<Buffer>, count: number): AsyncGenerator<Buffer, void, undefined> {
  let left = count;
  for await (const piece of pieces) {
    const rest = left === 0 ? piece : piece.subarray(Math.min(left, piece.length));
    left -= piece.length - rest.length;
    if (rest.length > 0) yield rest;
  }
}
