import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { countBatches } from '../../ledger/batches/batches.js';
import type { OperationDeps } from '../deps.js';

const keptMs = 7 * 24 * 60 * 60 * 1_000;

/**
 * Removes uploads of browsers older than a week, and what interrupted uploads left. Waits while a batch is being
 * prepared: its rows may name files that came with it.
 *
 * @param nowMs the clock of the machine that has the files.
 */
export async function removeStaleUploads(
  { ledger, uploadsFolder }: Pick<OperationDeps, 'ledger'> & { readonly uploadsFolder: string },
  nowMs: number,
): Promise<void> {
  const { byState } = await countBatches(ledger, { inCampaignsOf: null });
  if ((byState.preparing ?? 0) > 0) return;
  const names = await readdir(uploadsFolder).catch(() => []); // there are none yet
  for (const name of names.filter((one) => /^[0-9a-f-]{36}(\.|$)/.test(one))) {
    const path = join(uploadsFolder, name);
    const found = await stat(path).catch(() => null); // another process removed it
    if (found && found.mtimeMs < nowMs - keptMs) await rm(path, { recursive: true, force: true });
  }
}
