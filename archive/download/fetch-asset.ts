import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Content, WorkPlace } from '../archive-store.js';
import { onDisk } from '../errors.js';
import { hashFile } from '../folder/hash-file.js';
import { claimPart, workName } from './claim-part.js';
import { type DownloadOptions, downloadAsset } from './download.js';

/** A complete file, still unpublished. */
export interface FetchedFile extends Content {
  readonly localFile: string;
}

/**
 * Gets the bytes of an asset, complete and unpublished: from an earlier attempt if it got that far, else by a download.
 *
 * The name of a finished download holds its hash, so that finishing is one rename and a later attempt can tell that the
 * file is still what it was: a power cut may have taken bytes of it.
 */
export async function fetchAsset(
  work: WorkPlace,
  assetId: string,
  download: Omit<DownloadOptions, 'partFile'>,
): Promise<FetchedFile> {
  const earlier = await onDisk('look for an earlier download', () => findFetched(work, assetId));
  return earlier ?? fetchAgain(work, assetId, download);
}

/** Downloads the asset, whatever is there already. */
export async function fetchAgain(
  work: WorkPlace,
  assetId: string,
  download: Omit<DownloadOptions, 'partFile'>,
): Promise<FetchedFile> {
  const partFile = await onDisk('begin the download', () => claimPart(work, assetId));
  const content = await downloadAsset({ ...download, partFile });
  const localFile = join(work.path, `${workName(work, assetId)}.${content.sha256}.done`);
  await onDisk('finish the download', () => renameSync(partFile, localFile));
  return { localFile, ...content };
}

async function findFetched(work: WorkPlace, assetId: string): Promise<FetchedFile | null> {
  if (work.entries.length === 0) return null;
  const name = workName(work, assetId);
  for (const entry of work.entries) {
    const [, sha256] = entry.startsWith(`${name}.`) ? (/\.([0-9a-f]{64})\.done$/.exec(entry) ?? []) : [];
    if (sha256 === undefined) continue;
    const localFile = join(work.path, entry);
    const content = await hashFile(localFile);
    if (content.sha256 === sha256) return { localFile, ...content };
    rmSync(localFile, { force: true });
  }
  return null;
}
