import { access, constants, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A short film, or some hundred thousand rows of the ledger. */
const enoughBytes = 64e6;

/**
 * The room on the disk of a folder, which may still be to be made, as `12.3 GB free`.
 *
 * @throws Error where it may not be written, or has hardly any room.
 */
export async function roomOnDisk(folder: string): Promise<string> {
  const nearest = await nearestFolder(folder);
  await access(nearest, constants.W_OK);
  const { bavail, bsize } = await statfs(nearest);
  const bytes = bavail * bsize;
  if (bytes >= enoughBytes) return `${(bytes / 1e9).toFixed(1)} GB free`;
  throw new Error(
    `Cannot save much in ${folder}: its disk is full but for ${(bytes / 1e6).toFixed(1)} MB; free some space`,
  );
}

async function nearestFolder(folder: string): Promise<string> {
  const there = await access(folder).then(
    () => true,
    () => false,
  );
  return there || dirname(folder) === folder ? folder : nearestFolder(dirname(folder));
}
