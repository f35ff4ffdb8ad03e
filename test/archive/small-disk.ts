import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Mounts a disk of so many bytes; null where that is not allowed. */
export async function smallDisk(
  folder: string,
  sizeBytes: number,
): Promise<{ readonly unmount: () => Promise<void> } | null> {
  await mkdir(folder);
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${sizeBytes}`, 'tmpfs', folder]);
  } catch {
    return null;
  }
  return { unmount: async () => void (await run('umount', ['-l', folder])) };
}
