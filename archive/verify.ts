import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchiveStore } from './archive-store.js';
import { errnoOf, onDisk } from './errors.js';
import { contentOf } from './folder/hash-file.js';
import { isRecordName, parseRecord } from './movie-record.js';

/** One file and its hash: it is intact when the two are equal. */
export interface VerifiedFile {
  readonly path: string;
  /** SHA-256 in hex; `a readable record` for one that cannot be read, `the file` for one that is missing. */
  readonly expected: string;
  /** Null if missing. */
  readonly actual: string | null;
}

/** Reads every byte of the named files of a store. */
export async function* verifyFiles(
  store: ArchiveStore,
  files:
    | Iterable<{ readonly path: string; readonly sha256: string }>
    | AsyncIterable<{ readonly path: string; readonly sha256: string }>,
): AsyncGenerator<VerifiedFile> {
  for await (const { path, sha256 } of files) {
    const actual = (await store.stat(path)) ? (await contentOf(await store.open(path))).sha256 : null;
    yield { path, expected: sha256, actual };
  }
}

/**
 * Reads every byte of the files that the `movie.json` records below a local folder name. It needs no ledger and no
 * service: the folder may have been moved or copied. Paths are relative to the folder.
 *
 * @throws StorageError when the folder cannot be read.
 */
export async function* verifyFolder(folder: string, below = ''): AsyncGenerator<VerifiedFile> {
  const entries = await onDisk(`read "${join(folder, below)}"`, () =>
    readdir(join(folder, below), { withFileTypes: true }),
  );
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue;
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* verifyFolder(folder, path);
    else if (entry.isFile() && isRecordName(entry.name)) yield* verifyRecord(folder, path);
  }
}

async function* verifyRecord(folder: string, path: string): AsyncGenerator<VerifiedFile> {
  const record = parseRecord(await onDisk(`read "${path}"`, () => readFile(join(folder, path), 'utf8')));
  if (!record) {
    yield { path, expected: 'a readable record', actual: null };
    return;
  }
  const parent = path.slice(0, path.lastIndexOf('/') + 1);
  for (const file of record.files) {
    yield {
      path: parent + file.path,
      expected: file.sha256,
      actual: await hashOrNull(join(folder, parent, file.path)),
    };
  }
}

/** SHA-256 of a file of this machine, in hex; null if missing. */
export function hashOrNull(file: string): Promise<string | null> {
  return onDisk(`read "${file}"`, async () => {
    try {
      return (await contentOf(createReadStream(file))).sha256;
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return null;
      throw error;
    }
  });
}
