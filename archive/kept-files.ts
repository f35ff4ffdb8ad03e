import { text } from 'node:stream/consumers';
import type { ArchiveStore } from './archive-store.js';
import { isFinalVideo } from './download/asset-listing.js';
import { contentOf } from './folder/hash-file.js';
import {
  type ArchivedFile,
  filesOf,
  isRecordName,
  measuredOf,
  parseRecord,
  type StoredRecord,
} from './movie-record.js';
import type { ProbedMovie } from './probe.js';

/** What earlier attempts left in the archive, as far as it is still what they recorded. */
export interface Kept {
  /** A record whose files are all there: then the work is done. */
  readonly whole: StoredRecord | null;
  readonly files: ReadonlyMap<string, ArchivedFile>;
  /** Measurements of the final video, if that is among `files`; null also when it could not be read. */
  readonly measured: ProbedMovie | null;
}

/** Reads the records of this movie in a folder, and every byte of the files that they name. */
export async function keptFiles(store: ArchiveStore, folder: string, movieId: string): Promise<Kept> {
  const files = new Map<string, ArchivedFile>();
  let measured: ProbedMovie | null = null;
  for (const record of await recordsIn(store, folder, movieId)) {
    let intact = 0;
    for (const file of filesOf(record, folder)) {
      if (!(await isIntact(store, file))) continue;
      intact += 1;
      files.set(file.assetId, file);
      if (isFinalVideo(file)) measured = measuredOf(record);
    }
    if (intact === record.files.length) return { whole: record, files, measured };
  }
  return { whole: null, files, measured };
}

async function recordsIn(store: ArchiveStore, folder: string, movieId: string): Promise<readonly StoredRecord[]> {
  const records: StoredRecord[] = [];
  for (const path of await store.list(folder)) {
    if (!isRecordName(path.slice(folder.length + 1))) continue;
    const record = parseRecord(await text(await store.open(path)));
    if (record?.movie_id === movieId) records.push(record);
  }
  return records;
}

async function isIntact(store: ArchiveStore, { path, sizeBytes, sha256 }: ArchivedFile): Promise<boolean> {
  const found = await store.stat(path);
  return found?.sizeBytes === sizeBytes && (await contentOf(await store.open(path))).sha256 === sha256;
}
