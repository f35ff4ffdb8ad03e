import { mkdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { errnoOf, StorageError } from '../errors.js';

/**
 * Keeps an archive within its root. Links inside it are a person's choice; one that leads out of it would let a name of
 * the archive read or write anywhere.
 */
export interface Fence {
  /** The real path of what is there. @throws StorageError when that is outside. */
  inside(path: string): string;
  /** The real path of a folder, created if missing, but never through a link that leads out. */
  folder(path: string): FencedFolder;
}

export interface FencedFolder {
  readonly path: string;
  /** Whether this call created it. */
  readonly isNew: boolean;
}

/** @param root the archive's own real path. */
export function createFence(root: string): Fence {
  function inside(path: string): string {
    const real = realpathSync.native(path);
    if (real === root || real.startsWith(root + sep)) return real;
    throw new StorageError(
      `Cannot use "${relative(root, path)}" in "${root}": a link leads out of the archive`,
      'EXDEV',
    );
  }

  function folder(path: string): FencedFolder {
    try {
      return { path: inside(path), isNew: false };
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT' || path === root) throw error;
    }
    const parent = folder(dirname(path));
    const made = join(parent.path, basename(path));
    try {
      mkdirSync(made);
    } catch (error) {
      // Somebody else made it meanwhile, or it is a link to nothing, which is then refused.
      if (errnoOf(error) === 'EEXIST') return { path: inside(made), isNew: false };
      throw error;
    }
    return { path: made, isNew: true };
  }

  return { inside, folder };
}
