import { closeSync, fsync, openSync } from 'node:fs';
import { promisify } from 'node:util';

/** Resolves when an open file's content survives a power cut: the one call that always waits for the disk. */
export const syncFile: (descriptor: number) => Promise<void> = promisify(fsync);

/** The same for a file that is not open, or with `r` for a folder's entries. */
export async function syncPath(path: string, flags: 'r' | 'r+'): Promise<void> {
  const file = openSync(path, flags);
  try {
    await syncFile(file);
  } finally {
    closeSync(file);
  }
}
