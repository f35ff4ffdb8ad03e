import { text } from 'node:stream/consumers';
import type { ArchiveFolder, ArchiveStore } from './archive-store.js';
import type { ArchivableAsset } from './download/asset-listing.js';
import type { FetchedFile } from './download/fetch-asset.js';
import { fileName } from './file-name.js';
import { type ArchivedFile, filesOf, type MovieRecord, parseRecord, recordName, recordText } from './movie-record.js';

/** Where the files of one movie go. */
export interface Destination {
  readonly store: ArchiveStore;
  /** The folder's path in the store. */
  readonly name: string;
  readonly opened: ArchiveFolder;
}

/** A complete download, confirmed and still to be published. */
export interface Unpublished {
  readonly asset: ArchivableAsset;
  readonly fetched: FetchedFile;
}

/**
 * Publishes the files of one movie in the order given; those that an earlier attempt published stay as they are. A name
 * that is taken by other content, or by another file of this movie, is left alone: the next free one (`final-2.mp4`) is
 * used, and the record says which.
 */
export async function publishFiles(
  to: Destination,
  files: readonly (ArchivedFile | Unpublished)[],
): Promise<readonly ArchivedFile[]> {
  const published: ArchivedFile[] = [];
  const used = new Set(files.flatMap((file) => ('path' in file ? [file.path.toLowerCase()] : [])));
  for (const file of files) {
    published.push('path' in file ? file : await publishOne(to, { ...file, used }));
  }
  return published;
}

interface Publication extends Unpublished {
  /** In lower case: some disks do not distinguish `A` from `a`. */
  readonly used: Set<string>;
}

async function publishOne(
  { name: folder, opened }: Destination,
  { asset, fetched, used }: Publication,
): Promise<ArchivedFile> {
  const { assetId, type, mimeType } = asset;
  const { localFile, sha256, sizeBytes } = fetched;
  for (let n = 1; ; n += 1) {
    const name = fileName(asset, n);
    const path = `${folder}/${name}`;
    if (used.has(path.toLowerCase())) continue;
    if ((await opened.publish(name, localFile, { sha256, sizeBytes })) === 'taken') continue;
    used.add(path.toLowerCase());
    return { assetId, type, path, sizeBytes, sha256, mimeType };
  }
}

/**
 * Writes the record of a movie whose files are published; it is the proof that they are complete, so it comes last.
 * A record of the same movie and files counts, whoever wrote it.
 */
export async function publishRecord({ store, name, opened }: Destination, record: MovieRecord): Promise<void> {
  for (let n = 1; ; n += 1) {
    if ((await opened.writeText(recordName(n), recordText(record))) !== 'taken') return;
    const there = parseRecord(await text(await store.open(`${name}/${recordName(n)}`)));
    const same = there && JSON.stringify(filesOf(there, name)) === JSON.stringify(record.files);
    if (same && there.movie_id === record.movieId) return;
  }
}
