import { openBatchStates } from '../../domain/batch-state.js';
import { appendAudit } from '../access/audit.js';
import { lockBatch } from '../batches/batch-record.js';
import type { Ledger } from '../ledger.js';

export interface Restart {
  readonly batchId: string;
  /** What had ended, and why, for a person. */
  readonly reason: string;
  readonly nowMs: number;
}

/**
 * Work on a batch ended before its rows did (its workflow code was changed under it, somebody terminated it) and was
 * started again. The batch says so until it settles; its rows lose nothing by it.
 */
export async function noteRestart(ledger: Ledger, { batchId, reason, nowMs }: Restart): Promise<void> {
  await ledger.write(async (tx) => {
    const batch = await lockBatch(tx, batchId);
    if (!(openBatchStates as readonly string[]).includes(batch.state)) return;
    await tx.updateTable('batches').set({ state_reason: reason }).where('batch_id', '=', batchId).execute();
    const actor = { name: 'greenlight', channel: 'system' } as const;
    await appendAudit(tx, { atMs: nowMs, actor, act: 'restart', object: batchId, detail: { reason } });
  });
}
