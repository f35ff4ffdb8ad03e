import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Content } from './archive-store.js';
import { claimPart, workName } from './claim-part.js';
import { type DownloadOptions, downloadAsset } from './download.js';
import { onDisk } from './errors.js';
import { hashFile } from './hash-file.js';

/** Where unfinished files of one movie are, and what was there when the attempt began. */
export interface WorkFolder {
  readonly path: string;
  readonly entries: readonly string[];
}

/** Looks once for all files: on a busy worker each look at a disk costs as much as a small download. */
export async function openWorkFolder(path: string): Promise<WorkFolder> {
  return { path, entries: await onDisk('look for earlier downloads', () => readdir(path)) };
}

/** A complete file in the work folder. */
export interface FetchedFile extends Content {
  readonly localFile: string;
}

/**
 * The bytes of an asset in the work folder: those of an earlier attempt if it got that far, else downloaded.
 *
 * The name of a finished download holds its hash, so that finishing is one rename and a later attempt can tell that the
 * file is still what it was.
 */
export async function fetchAsset(
  work: WorkFolder,
  assetId: string,
  download: Omit<DownloadOptions, 'partFile'>,
): Promise<FetchedFile> {
  const earlier = await onDisk('look for an earlier download', () => findFetched(work, assetId));
  return earlier ?? fetchAgain(work, assetId, download);
}

/** Downloads the asset whatever is there. */
export async function fetchAgain(
  work: WorkFolder,
  assetId: string,
  download: Omit<DownloadOptions, 'partFile'>,
): Promise<FetchedFile> {
  const partFile = await onDisk('begin the download', () => claimPart(work, assetId));
  const content = await downloadAsset({ ...download, partFile });
  const localFile = join(work.path, `${workName(assetId)}.${content.sha256}.done`);
  await onDisk('finish the download', () => rename(partFile, localFile));
  return { localFile, ...content };
}

async function findFetched({ path, entries }: WorkFolder, assetId: string): Promise<FetchedFile | null> {
  for (const entry of entries) {
    const [name, sha256, ending] = entry.split('.');
    if (name !== workName(assetId) || ending !== 'done') continue;
    const localFile = join(path, entry);
    const content = await hashFile(localFile);
    if (content.sha256 === sha256) return { localFile, ...content };
    await rm(localFile, { force: true });
  }
  return null;
}
