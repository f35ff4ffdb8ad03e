import type { ArchiveStore } from './archive-store.js';
import { createFileStore } from './folder/file-store.js';

/**
 * Opens the store at an address: `file:<folder>` or `s3://bucket/prefix`.
 *
 * @param stagingFolder for files that are not in a bucket yet.
 */
export async function openStore(url: string, stagingFolder: string): Promise<ArchiveStore> {
  if (!url.startsWith('s3:')) return createFileStore(url.slice('file:'.length));
  const { createS3Store } = await import('./s3/s3-store.js'); // most archives are folders
  return createS3Store({ url, stagingFolder });
}
