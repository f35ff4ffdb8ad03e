import { createHash } from 'node:crypto';
import { StringDecoder } from 'node:string_decoder';
import iconv from 'iconv-lite';
import { csvLine } from '../domain/cells/csv-line.js';
import { createFindingLog } from '../sheets/findings/finding-log.js';
import { fileError, naming } from '../sheets/findings/manifest-error.js';
import type { ManifestSource } from '../sheets/sheet-source.js';
import { decodeText } from '../sheets/text/decode-text.js';
import { isUtf8Name, type TextEncoding } from '../sheets/text/encoding.js';
import { type ManifestOptions, openManifest } from './open-manifest.js';
import { readTable } from './rows/read-table.js';
import { isTree, type RawRow, type Table, type TextFix } from './tables/table.js';

/**
 * Writes the manifest with its repairs made, everything else byte for byte, in its own encoding; a workbook as CSV.
 * Everything else stays as it is, errors too.
 *
 * @throws ManifestError when a text cannot be written in its encoding byte for byte.
 */
export async function* repairedBytes(
  source: ManifestSource,
  options: Omit<ManifestOptions, 'strict'>,
): AsyncGenerator<Buffer, void, undefined> {
  const { table } = await openManifest(source, options);
  const { textEncoding } = table;
  if (textEncoding === null) {
    yield* sheetAsCsv(table, source, options);
    return;
  }
  const fixes = await fixesOf(table, source, options);
  if (!isUtf8Name(textEncoding.name)) await requireLossless(source, textEncoding);
  const text = decodeText(source.open(), textEncoding);
  yield* markOf(source, textEncoding);
  yield* encoded(isTree(table) ? fixedText(text, fixes) : fixedBytes(text, fixes), textEncoding);
}

async function fixesOf(table: Table, source: ManifestSource, options: ManifestOptions): Promise<readonly TextFix[]> {
  // A value that several movies share (YAML defaults) is written once.
  const fixes = new Map(table.fixes.map((fix) => [fix.from, fix]));
  for await (const { drafts } of readTable(table, source, options, createFindingLog(0))) {
    for (const { row, fixes: cellFixes } of drafts) {
      for (const { column, text } of cellFixes) {
        for (const fix of row.fixesOf?.(column, text) ?? []) fixes.set(fix.from, fix);
      }
    }
  }
  return [...fixes.values()].sort((a, b) => a.from - b.from);
}

async function* fixedBytes(
  pieces: AsyncIterable<Buffer>,
  fixes: readonly TextFix[],
): AsyncGenerator<Buffer, void, undefined> {
  let offset = 0;
  let next = 0;
  for await (const piece of pieces) {
    const end = offset + piece.length;
    let at = offset;
    for (let fix = fixes[next]; fix && fix.from < end; fix = fixes[next]) {
      if (fix.from >= at) yield piece.subarray(at - offset, fix.from - offset);
      if (fix.from >= offset) yield Buffer.from(fix.text);
      at = Math.min(fix.to, end);
      if (fix.to > end) break; // the rest of it is in the next piece
      next += 1;
    }
    if (at < end) yield piece.subarray(at - offset);
    offset = end;
  }
}

async function* fixedText(
  pieces: AsyncIterable<Buffer>,
  fixes: readonly TextFix[],
): AsyncGenerator<Buffer, void, undefined> {
  const buffers: Buffer[] = [];
  for await (const piece of pieces) buffers.push(piece);
  const text = Buffer.concat(buffers).toString('utf8');
  let at = 0;
  for (const { from, to, text: written } of fixes) {
    // What ends a value's line belongs to the lines below.
    const blanks = /\s*$/.exec(text.slice(from, to))?.[0].length ?? 0;
    yield Buffer.from(text.slice(at, from) + written);
    at = to - blanks;
  }
  yield Buffer.from(text.slice(at));
}

async function* markOf(source: ManifestSource, { markBytes }: TextEncoding): AsyncGenerator<Buffer, void, undefined> {
  if (markBytes === 0) return;
  for await (const piece of source.open() as AsyncIterable<Buffer>) {
    yield piece.subarray(0, markBytes);
    return;
  }
}

async function* encoded(
  pieces: AsyncIterable<Buffer>,
  { name }: TextEncoding,
): AsyncGenerator<Buffer, void, undefined> {
  if (isUtf8Name(name)) {
    yield* pieces;
    return;
  }
  const decoder = new StringDecoder('utf8');
  const encoder = iconv.getEncoder(name);
  for await (const piece of pieces) yield Buffer.from(encoder.write(decoder.write(piece)));
  yield Buffer.from(encoder.write(decoder.end()));
  yield Buffer.from(encoder.end() ?? []);
}

/** Encodes the text again and compares: bytes that the encoding does not have would be lost. */
async function requireLossless(source: ManifestSource, encoding: TextEncoding): Promise<void> {
  const original = createHash('sha256');
  for await (const piece of source.open() as AsyncIterable<Buffer>) original.update(piece);
  const again = createHash('sha256');
  for await (const piece of markOf(source, encoding)) again.update(piece);
  for await (const piece of encoded(decodeText(source.open(), encoding), encoding)) again.update(piece);
  if (original.digest('hex') === again.digest('hex')) return;
  throw naming(
    source.name,
    fileError('lossy_encoding', `some of its bytes are not ${encoding.name}; save it as UTF-8, then repair it`),
  );
}

async function* sheetAsCsv(
  table: Table,
  source: ManifestSource,
  options: ManifestOptions,
): AsyncGenerator<Buffer, void, undefined> {
  yield Buffer.from(csvLine(table.columns.map(({ header }) => header)));
  for await (const { drafts } of readTable(table, source, options, createFindingLog(0))) {
    for (const { row, fixes } of drafts) yield Buffer.from(csvLine(fixedCells(row, fixes, table.columns.length)));
  }
}

function fixedCells(
  { cells }: RawRow,
  fixes: readonly { readonly column: number; readonly text: string }[],
  width: number,
): readonly string[] {
  return Array.from({ length: width }, (_, column) => {
    return fixes.find((fix) => fix.column === column)?.text ?? cells?.[column] ?? '';
  });
}
