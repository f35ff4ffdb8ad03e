import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { errnoOf } from '../errors.js';

/** What lies in a folder; nothing where the folder is not there. */
export async function folderEntries(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}
