import { statSync } from 'node:fs';
import type { Outage } from './outage.js';

/**
 * SQLite goes on writing into a file that was moved or deleted, where nobody will find it. So each transaction looks
 * whether the file that was opened still has its name, and waits for it otherwise.
 *
 * @returns what resolves once the file is in its place.
 */
export function watchPlace(path: string, outage: Outage): () => Promise<void> {
  const opened = fileNumber(path);
  return async () => {
    for (let found = fileNumber(path); found !== opened; found = fileNumber(path)) {
      await outage.wait(found === null ? `${path} is gone` : `another file has taken the place of ${path}`);
    }
    outage.over();
  };
}

function fileNumber(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? null;
}
