import { constants, linkSync } from 'node:fs';
import { copyFile, lstat, rename, rm } from 'node:fs/promises';
import type { Content, Published } from '../archive-store.js';
import { errnoOf } from '../errors.js';
import { hashFile } from './hash-file.js';
import { syncPath } from './sync-file.js';

/** Errors of `link` that mean: not on this disk, or not across these two. */
const linkRefusals: ReadonlySet<string | null> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
  'EXDEV',
]);

export interface Giving {
  readonly content: Content;
  /** Where a copy may be made on the archive's own disk. */
  readonly copyTo: () => string;
}

/**
 * Gives a finished file a second name, all at once and never over another file.
 *
 * A hard link either makes the name or finds it taken, also when two processes try at once. On disks without links the
 * name is checked and then renamed to, which leaves a moment in which a second writer could be overwritten.
 */
export async function linkOrCopy(target: string, localFile: string, { content, copyTo }: Giving): Promise<Published> {
  const linked = tryLink(localFile, target);
  if (linked === 'made') return 'published';
  if (linked === 'refused') {
    const copy = copyTo();
    try {
      await copyFile(localFile, copy, constants.COPYFILE_FICLONE);
      await syncPath(copy, 'r+');
      const copied = tryLink(copy, target);
      if (copied === 'made') return 'published';
      if (copied === 'refused' && (await lstatOrNull(target)) === null) {
        await rename(copy, target);
        return 'published';
      }
    } finally {
      await rm(copy, { force: true });
    }
  }
  const found = await lstatOrNull(target);
  const same =
    found?.isFile() && found.size === content.sizeBytes && (await hashFile(target)).sha256 === content.sha256;
  return same ? 'already there' : 'taken';
}

function tryLink(from: string, to: string): 'made' | 'exists' | 'refused' {
  try {
    linkSync(from, to);
    return 'made';
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'EEXIST') return 'exists';
    if (linkRefusals.has(code)) return 'refused';
    throw error;
  }
}

async function lstatOrNull(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
}
