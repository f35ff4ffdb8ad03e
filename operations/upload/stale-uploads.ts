import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { countBatches } from '../../ledger/batches/batches.js';
import type { OperationDeps } from '../deps.js';

const keptMs = 7 * 24 * 60 * 60 * 1_000;

/**
 * Removes what browsers brought more than a week ago, and what an upload that was cut off left. Waits while a batch is
 * being prepared: its rows may name files that came with it.
 *
 * @param nowMs of the machine that has the files.
 */
export async function removeStaleUploads(
  { ledger, uploadsFolder }: Pick<OperationDeps, 'ledger'> & { readonly uploadsFolder: string },
  nowMs: number,
): Promise<void> {
  const { byState } = await countBatches(ledger, { inCampaignsOf: null });
  if ((byState.preparing ?? 0) > 0) return;
  const names = await readdir(uploadsFolder).catch(() => []); // none was brought so far
  for (const name of names.filter((one) => /^[0-9a-f-]{36}(\.|$)/.test(one))) {
    const path = join(uploadsFolder, name);
    const found = await stat(path).catch(() => null); // another one removed it
    if (found && found.mtimeMs < nowMs - keptMs) await rm(path, { recursive: true, force: true });
  }
}
