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
  return roomWords(folder, bavail * bsize);
}

/**
 * What is said of the room that is left.
 *
 * @throws Error where that is hardly any.
 */
export function roomWords(folder: string, freeBytes: number): string {
  if (freeBytes >= enoughBytes) return `${(freeBytes / 1e9).toFixed(1)} GB free`;
  const megabytes = (freeBytes / 1e6).toFixed(1);
  throw new Error(`Cannot save much in ${folder}: its disk is full but for ${megabytes} MB; free some space`);
}

async function nearestFolder(folder: string): Promise<string> {
  const there = await access(folder).then(
    () => true,
    () => false,
  );
  return there || dirname(folder) === folder ? folder : nearestFolder(dirname(folder));
}
