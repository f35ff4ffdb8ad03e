import { posix } from 'node:path';

/** Addresses of files of the archive, by their path in it, where they are reached by others than their own. */
export type Addresses = ReadonlyMap<string, string>;

/** Where a report of a batch lies. */
export interface PagePlace {
  readonly batchId: string;
  /** From the folder of the report to the root of the archive, with `/`. */
  readonly toArchive: string;
  /** Files that have one are named by it. */
  readonly addresses?: Addresses;
}

/**
 * From a report to a file of the archive. Files of the report's own batch lie beside it, whatever their folder is called
 * by now; others where the archive has them.
 */
export function linkInArchive(path: string, { batchId, toArchive, addresses }: PagePlace): string {
  const address = addresses?.get(path);
  if (address !== undefined) return address;
  const own = `${batchId}/`;
  return toArchive === '..' && path.startsWith(own) ? path.slice(own.length) : posix.join(toArchive, path);
}
