import { createHash, randomUUID } from 'node:crypto';
import { constants, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkPlace } from '../archive-store.js';
import { errnoOf } from '../errors.js';
import { type PartState, partStateFile, readPartState, writePartState } from './part-file.js';

/** How the names of an asset's unfinished files begin: ids may hold any character. */
export function workName({ prefix }: WorkPlace, assetId: string): string {
  return prefix + createHash('sha256').update(assetId).digest('hex').slice(0, 24);
}

/**
 * Makes a part file for this attempt alone, which begins where the best earlier attempt stopped.
 *
 * The earlier part is copied, not continued: its writer may still be alive (a worker that was given up and does not
 * know it), and must not reach the bytes that this attempt will publish.
 */
export async function claimPart(work: WorkPlace, assetId: string): Promise<string> {
  const name = workName(work, assetId);
  const mine = join(work.path, `${name}.${randomUUID()}.part`);
  const earlier = work.entries
    .filter((entry) => entry.startsWith(`${name}.`) && entry.endsWith('.part'))
    .map((entry) => join(work.path, entry));
  const best = furthest(earlier);
  if (best) await takeOver(best, mine);
  for (const path of earlier) {
    rmSync(path, { force: true });
    rmSync(partStateFile(path), { force: true });
  }
  return mine;
}

interface Earlier {
  readonly path: string;
  readonly state: PartState;
}

function furthest(paths: readonly string[]): Earlier | null {
  let best: Earlier | null = null;
  for (const path of paths) {
    const state = readPartState(path);
    if (state && state.safeBytes > (best?.state.safeBytes ?? 0)) best = { path, state };
  }
  return best;
}

async function takeOver({ path, state }: Earlier, mine: string): Promise<void> {
  try {
    await copyFile(path, mine, constants.COPYFILE_FICLONE);
  } catch (error) {
    // Its writer finished it meanwhile, or another attempt claimed it: then this one begins anew.
    if (errnoOf(error) === 'ENOENT') return;
    throw error;
  }
  // A writer that still lives may have begun another representation under the copy.
  const now = readPartState(path);
  if (now?.etag === state.etag && now.totalBytes === state.totalBytes) writePartState(mine, state);
}
