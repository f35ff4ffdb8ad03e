import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkPlace } from '../archive-store.js';
import { onDisk } from '../errors.js';

/** What no attempt has touched for this long was finished on another machine, or given up. */
const abandonedMs = 7 * 24 * 60 * 60 * 1000;

/** The unfinished files of one worker, on its own disk: a folder for each movie. */
export interface Staging {
  open(folder: string): Promise<WorkPlace>;
  drop(folder: string): Promise<void>;
}

/** @param root created with the first movie, which also removes what was abandoned there. */
export function createStaging(root: string): Staging {
  let isSwept = false;
  const place = (folder: string) => join(root, createHash('sha256').update(folder).digest('hex').slice(0, 32));

  function sweep(): void {
    if (isSwept) return;
    isSwept = true;
    for (const name of readdirSync(root)) {
      const path = join(root, name);
      if (Date.now() - statSync(path).mtimeMs > abandonedMs) rmSync(path, { recursive: true, force: true });
    }
  }

  return {
    open: (folder) =>
      onDisk(`use the staging folder "${root}"`, () => {
        const path = place(folder);
        mkdirSync(path, { recursive: true });
        sweep();
        return { path, prefix: '', entries: readdirSync(path) };
      }),
    drop: (folder) =>
      onDisk(`clear the staging folder "${root}"`, () => rmSync(place(folder), { recursive: true, force: true })),
  };
}
