import { extname } from 'node:path';
import { findDelimiter } from './csv/find-delimiter.js';
import { fileError } from './findings/manifest-error.js';
import { foreignText } from './foreign-file.js';
import type { ManifestSource } from './sheet-source.js';

export type Form = 'csv' | 'xlsx' | 'yaml' | 'json' | 'jsonl';

/** How many cells of a row are known column names. */
export type KnownNames = (cells: readonly string[]) => number;

const bytesLookedAt = 8 * 1024;

/**
 * Detects the format of a manifest: a workbook by its bytes, whatever its name; a text by its name, or if that says
 * nothing by its first lines.
 *
 * @param namesIn recognises a CSV text by its first line
 * @throws ManifestError for any other file.
 */
export async function formOf(source: ManifestSource, namesIn: KnownNames): Promise<Form> {
  const head = await firstBytes(source);
  if (head.length === 0) throw fileError('empty_file', 'it is empty');
  if (head.subarray(0, 4).equals(zip)) return zipForm(head);
  if (head.subarray(0, 4).equals(oldOffice)) {
    throw fileError('old_workbook', 'it is a workbook of the old kind (.xls) or has a password; save it as .xlsx');
  }
  const isWide = head.subarray(0, 2).equals(wideLittle) || head.subarray(0, 2).equals(wideBig);
  const known = isWide ? undefined : await knownType(head);
  const foreign = foreignText(isWide ? wideText(head) : head.toString('utf8'), source.name);
  if (foreign !== null) throw fileError('not_a_manifest', foreign);
  if (known) throw fileError('not_a_manifest', `its content is ${known}; a manifest is CSV, XLSX, YAML or JSON`);
  if (!isWide && controlShare(head) > maxControls) {
    throw fileError('not_a_manifest', 'its content is binary; a manifest is CSV, XLSX, YAML or JSON');
  }
  switch (extname(source.name).toLowerCase()) {
    case '.yaml':
    case '.yml':
      return 'yaml';
    case '.json':
      return jsonForm(isWide ? wideText(head) : head.toString('utf8'));
    case '.jsonl':
    case '.ndjson':
      return 'jsonl';
    case '.csv':
    case '.tsv':
    case '.txt':
    case '.tab':
      return 'csv';
    default:
      return textForm(head, isWide, namesIn);
  }
}

const zip = Buffer.from('PK\x03\x04', 'latin1');
const oldOffice = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);
const wideLittle = Buffer.from([0xff, 0xfe]);
const wideBig = Buffer.from([0xfe, 0xff]);

function zipForm(head: Buffer): Form {
  const text = head.toString('latin1');
  if (text.includes('mimetypeapplication/vnd.oasis.opendocument')) {
    throw fileError('not_a_manifest', 'it is an OpenDocument file; save it as .xlsx or CSV');
  }
  return 'xlsx';
}

/** Loaded only for files that do not look like text at first sight. */
async function knownType(head: Buffer): Promise<string | undefined> {
  const isOther = head.some((byte) => byte < 0x09) || /^(?:%PDF|\{\\rtf|<)/.test(head.toString('latin1', 0, 8));
  if (!isOther) return undefined;
  return (await (await import('file-type')).fileTypeFromBuffer(head))?.mime;
}

/** Texts have hardly any control characters; UTF-16 has many zeros, which do not count. */
function controlShare(head: Buffer): number {
  let controls = 0;
  for (const byte of head)
    if ((byte < 0x20 && byte !== 0 && (byte < 0x09 || byte > 0x0d)) || byte === 0x7f) controls += 1;
  return controls / head.length;
}

const maxControls = 0.05;

function textForm(head: Buffer, isWide: boolean, known: KnownNames): Form {
  const text = isWide ? Buffer.from(wideText(head)) : head;
  const { delimiter } = findDelimiter(text, known);
  const [first = '', ...rest] = text.toString('utf8').split(/\r\n|\n|\r/);
  if (/^"?sep=/i.test(first) || known(first.split(delimiter)) > 1) return 'csv';
  if (isJsonLines(text.toString('utf8'))) return 'jsonl';
  const looksLikeYaml = [first, ...rest].some((line) => /^(?:---|-\s|\{|\[|%YAML|[\w-]+:(?:\s|$))/.test(line));
  return looksLikeYaml ? 'yaml' : 'csv';
}

function jsonForm(text: string): Form {
  if (isJsonLines(text)) return 'jsonl';
  return /^\s*[[{]/.test(text) ? 'json' : 'yaml';
}

/** An object on the first line, and another one below. */
function isJsonLines(text: string): boolean {
  const [first = '', second = ''] = text.split('\n').filter((line) => line.trim() !== '');
  return isObject(first) && second.trimStart().startsWith('{');
}

function isObject(line: string): boolean {
  if (!line.trimStart().startsWith('{')) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

function wideText(head: Buffer): string {
  const even = head.subarray(2, head.length - (head.length % 2));
  return (head[0] === 0xff ? even : Buffer.from(even).swap16()).toString('utf16le');
}

async function firstBytes(source: ManifestSource): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of source.open() as AsyncIterable<Buffer>) {
    pieces.push(piece);
    length += piece.length;
    if (length >= bytesLookedAt) break;
  }
  return Buffer.concat(pieces).subarray(0, bytesLookedAt);
}
