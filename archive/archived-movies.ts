import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onDisk } from './errors.js';
import { folderEntries } from './folder/folder-entries.js';
import { isRecordName, parseRecord } from './movie-record.js';

/** A movie that lies in an archive, by its own record. */
export interface ArchivedMovie {
  readonly batchId: string;
  readonly rowKey: string;
  readonly movieId: string;
}

/** Every movie of a folder archive, as its records say, whatever any ledger knows; sorted by batch and row. */
export async function* archivedMovies(archiveFolder: string): AsyncGenerator<ArchivedMovie, void, undefined> {
  for (const batchId of await foldersIn(archiveFolder)) {
    for (const rowKey of await foldersIn(join(archiveFolder, batchId))) {
      const folder = join(archiveFolder, batchId, rowKey);
      const names = await onDisk(`read "${folder}"`, () => readdir(folder));
      for (const name of names.filter(isRecordName).sort()) {
        const record = parseRecord(await onDisk(`read "${folder}"`, () => readFile(join(folder, name), 'utf8')));
        if (record) yield { batchId, rowKey, movieId: record.movie_id };
      }
    }
  }
}

async function foldersIn(folder: string): Promise<readonly string[]> {
  const entries = await folderEntries(folder);
  return entries.flatMap((entry) => (entry.isDirectory() && !entry.name.startsWith('.') ? entry.name : [])).sort();
}
