import { fsync } from 'node:fs';
import { promisify } from 'node:util';

/** Resolves when an open file's content is on the disk for good: the one call that always waits for the disk. */
export const syncFile: (descriptor: number) => Promise<void> = promisify(fsync);
