import { crc32, inflateRawSync } from 'node:zlib';
import { fileError } from '../findings/manifest-error.js';
import { hasOpenTag } from './xml-tags.js';

/** As much as a workbook may unpack to. A sheet of 100,000 rows has some 80 MB. */
const mostUnpackedBytes = 128 * 1024 * 1024;
/** A workbook has a few dozen parts. */
const mostEntries = 4096;

const signatures = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50 };
const stored = 0;
const deflated = 8;

/**
 * The XML parts of a workbook, unpacked. No part is believed about its size: unpacking stops where the limit is, however
 * small the file says that it is.
 *
 * @throws ManifestError for what is no archive, has a password, or unpacks to more than the limit.
 */
export function unpackXml(archive: Buffer): ReadonlyMap<string, Buffer> {
  const parts = new Map<string, Buffer>();
  let left = mostUnpackedBytes;
  for (const { name, method, bytes } of entriesOf(archive)) {
    if (!/\.(?:xml|rels)$/i.test(name)) continue;
    if (parts.has(name)) throw broken('it has a part twice');
    const part = unpack(bytes, method, left);
    if (hasOpenTag(part)) throw broken(`its ${name} is damaged`);
    left -= part.length;
    parts.set(name, part);
  }
  return parts;
}

function unpack(bytes: Buffer, method: number, most: number): Buffer {
  if (method === stored && bytes.length <= most) return bytes;
  if (method !== stored && method !== deflated) throw broken('it is packed in a way that workbooks are not');
  try {
    if (method === deflated && most > 0) return inflateRawSync(bytes, { maxOutputLength: most });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw broken('it is damaged', cause);
  }
  throw fileError('too_large', `it unpacks to more than ${mostUnpackedBytes} bytes; save the sheet as CSV`);
}

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly bytes: Buffer;
}

/** By the directory at the archive's end. */
function* entriesOf(archive: Buffer): Generator<Entry, void, undefined> {
  const end = archive.lastIndexOf(bytesOf(signatures.end));
  if (end === -1 || end + 22 > archive.length) throw broken('its end is missing');
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  if (count > mostEntries) throw broken(`it has ${count} parts`);
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > archive.length || archive.readUInt32LE(at) !== signatures.central)
      throw broken('its directory is damaged');
    const nameLength = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    if ((archive.readUInt16LE(at + 8) & 1) !== 0) throw fileError('password', 'it has a password; save it without one');
    const size = archive.readUInt32LE(at + 20);
    yield { name, method: archive.readUInt16LE(at + 10), bytes: dataOf(archive, archive.readUInt32LE(at + 42), size) };
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
}

function dataOf(archive: Buffer, at: number, size: number): Buffer {
  if (at + 30 > archive.length || archive.readUInt32LE(at) !== signatures.local)
    throw broken('a part of it is missing');
  const from = at + 30 + archive.readUInt16LE(at + 26) + archive.readUInt16LE(at + 28);
  if (from + size > archive.length) throw broken('it ends too early');
  return archive.subarray(from, from + size);
}

/**
 * The parts as an archive again, without packing: whoever unpacks that gets what was measured, and nothing that hides
 * between the entries of the original.
 */
export function packStored(parts: ReadonlyMap<string, Buffer>): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, bytes] of parts) {
    const nameBytes = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0); // version 2.0 unpacks it
    common.writeUInt16LE(0x0800, 2); // the name is UTF-8
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    pieces.push(bytesOf(signatures.local), common, nameBytes, bytes);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(bytesOf(signatures.central), Buffer.from([20, 0]), common, rest, nameBytes);
    offset += 30 + nameBytes.length + bytes.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.size, 4);
  end.writeUInt16LE(parts.size, 6);
  end.writeUInt32LE(size, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...pieces, ...directory, bytesOf(signatures.end), end]);
}

function bytesOf(signature: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(signature);
  return bytes;
}

function broken(what: string, cause?: unknown) {
  return fileError('broken_workbook', `${what}; open it in a spreadsheet and save it again`, { cause });
}
