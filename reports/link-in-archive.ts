import { posix } from 'node:path';

/** Where a report of a batch lies. */
export interface PagePlace {
  readonly batchId: string;
  /** From the folder of the report to the root of the archive, with `/`. */
  readonly toArchive: string;
}

/**
 * From a report to a file of the archive. Files of the report's own batch lie beside it, whatever their folder is called
 * by now; others where the archive has them.
 */
export function linkInArchive(path: string, { batchId, toArchive }: PagePlace): string {
  const own = `${batchId}/`;
  return toArchive === '..' && path.startsWith(own) ? path.slice(own.length) : posix.join(toArchive, path);
}
