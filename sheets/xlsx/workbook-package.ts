import type { Readable } from 'node:stream';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { fileError, ManifestError } from '../findings/manifest-error.js';
import { brokenWorkbook } from './broken-workbook.js';

/** The parts of a workbook's archive. Names are compared ignoring case, as the format requires. */
export interface WorkbookPackage {
  has(name: string): boolean;
  /** As the archive spells them, in its order. */
  names(): readonly string[];
  isSame(name: string, other: string): boolean;
  /** The unpacked bytes of a part; nothing if it does not exist. */
  read(name: string): AsyncIterable<Buffer>;
}

/** The most that a workbook may unpack to. A sheet of 100,000 rows has some 80 MB. */
const maxUnpackedBytes = 128 * 1024 * 1024;
/** A workbook has a few dozen parts. */
const maxEntries = 4096;

/**
 * Opens the archive of a workbook. The sizes that it states are not trusted: unpacking stops at the limit for all parts
 * together, however small the file says that they are.
 *
 * @throws ManifestError when it is not an archive, has a password, or has a part twice; from `read`, when it unpacks to
 * more than the limit.
 */
export async function openPackage(archive: Buffer): Promise<WorkbookPackage> {
  const { zip, entries } = await directoryOf(archive);
  let left = maxUnpackedBytes;

  async function* read(name: string): AsyncGenerator<Buffer, void, undefined> {
    const entry = entries.get(partName(name));
    if (!entry) return;
    try {
      const stream: Readable = await zip.openReadStreamPromise(entry);
      for await (const piece of stream as AsyncIterable<Buffer>) {
        left -= piece.length;
        if (left < 0) throw tooLarge();
        yield piece;
      }
    } catch (error) {
      throw error instanceof ManifestError ? error : brokenWorkbook(`its ${name} is damaged`, error);
    }
  }

  return {
    has: (name) => entries.has(partName(name)),
    names: () => [...entries.values()].map(nameOf),
    isSame: (name, other) => partName(name) === partName(other),
    read,
  };
}

async function directoryOf(archive: Buffer): Promise<{ zip: ZipFile; entries: ReadonlyMap<string, Entry> }> {
  const entries = new Map<string, Entry>();
  try {
    // Names stay bytes: the library refuses an archive for a name that is not safe to write, and none is written here.
    const zip = await fromBufferPromise(archive, { decodeStrings: false, validateEntrySizes: false });
    if (zip.entryCount > maxEntries) throw brokenWorkbook(`it has ${zip.entryCount} parts`);
    for await (const entry of zip.eachEntry()) {
      const name = nameOf(entry);
      if (name.endsWith('/')) continue;
      if (entry.isEncrypted()) throw fileError('password', 'it has a password; save it without one');
      if (entries.has(partName(name))) throw brokenWorkbook(`it has the part ${name} twice`);
      entries.set(partName(name), entry);
    }
    return { zip, entries };
  } catch (error) {
    if (error instanceof ManifestError) throw error;
    const isCut = error instanceof Error && /end of central directory/i.test(error.message);
    throw brokenWorkbook(isCut ? 'its end is missing' : 'its archive is damaged', error);
  }
}

/** Some programs write `xl\workbook.xml`. */
function nameOf({ fileName }: Entry): string {
  return Buffer.from(fileName).toString('utf8').replaceAll('\\', '/');
}

function partName(name: string): string {
  return name.replace(/^\//, '').toLowerCase();
}

function tooLarge(): ManifestError {
  return fileError('too_large', `it unpacks to more than ${maxUnpackedBytes} bytes; save the sheet as CSV`);
}
