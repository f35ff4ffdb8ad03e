import { mkdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { errnoOf, StorageError } from './errors.js';

/**
 * Keeps an archive within its root. Links inside it are a person's choice; one that leads out of it would let a name of
 * the archive read or write anywhere.
 */
export interface Fence {
  /** The real path of what is there. @throws StorageError when that is outside. */
  inside(path: string): Promise<string>;
  /** The real path of a folder, made if it is not there, but never by way of a link that leads out. */
  folder(path: string): Promise<{ readonly path: string; readonly isNew: boolean }>;
}

/** @param root the archive's own real path. */
export function createFence(root: string): Fence {
  async function inside(path: string): Promise<string> {
    const real = await realpath(path);
    if (real === root || real.startsWith(root + sep)) return real;
    throw new StorageError(
      `Cannot use "${relative(root, path)}" in "${root}": a link leads out of the archive`,
      'EXDEV',
    );
  }

  async function folder(path: string): Promise<{ readonly path: string; readonly isNew: boolean }> {
    try {
      return { path: await inside(path), isNew: false };
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT' || path === root) throw error;
    }
    const parent = await folder(dirname(path));
    const made = join(parent.path, basename(path));
    try {
      await mkdir(made);
    } catch (error) {
      // Another made it meanwhile, or it is a link to nothing, which then is refused.
      if (errnoOf(error) === 'EEXIST') return { path: await inside(made), isNew: false };
      throw error;
    }
    return { path: made, isNew: true };
  }

  return { inside, folder };
}
