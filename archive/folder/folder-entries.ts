import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { errnoOf } from '../errors.js';

/** The entries of a folder; none when there is no such folder. */
export async function folderEntries(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}
