import { settledAs } from '../../domain/batch-state.js';
import { appendAudit } from '../access/audit.js';
import { lockBatch } from '../batches/batch-record.js';
import { countsOf } from '../batches/rows.js';
import type { Ledger, Tx } from '../ledger.js';
import { entriesEnd } from '../money/entry-chain.js';
import { uncommit } from '../money/movements.js';

export interface Settled {
  /** `making`: some rows are not settled yet, nothing changed. */
  readonly state: 'closed' | 'canceled' | 'unsettled' | 'making' | 'refused' | 'expired';
}

/**
 * Ends a batch whose rows are all settled: what it did not use goes back to its budgets. While rows are `unknown` or
 * `overdue` it is `unsettled`, and whatever ends the last of them closes it. Repeating it changes nothing.
 */
export async function settleBatch(
  ledger: Ledger,
  { batchId, nowMs }: { readonly batchId: string; readonly nowMs: number },
): Promise<Settled> {
  return ledger.write(
    async (tx) => {
      const { state } = await lockBatch(tx, batchId);
      if (state === 'preparing' || state === 'waiting') return { state: 'making' };
      if (state !== 'making' && state !== 'unsettled') return { state };
      return { state: await closeIfSettled(tx, batchId, nowMs) };
    },
    { durable: true },
  );
}

/** Under the batch's lock. */
export async function closeIfSettled(
  tx: Tx,
  batchId: string,
  nowMs: number,
): Promise<'closed' | 'canceled' | 'unsettled' | 'making'> {
  const batch = await lockBatch(tx, batchId);
  const counts = await countsOf(tx, batchId);
  const state = settledAs(counts, batch.canceled_ms !== null);
  if (state === 'making') return batch.state === 'unsettled' ? 'unsettled' : 'making';
  await uncommit(tx, batch, nowMs);
  if (state === batch.state) return state;
  await tx
    .updateTable('batches')
    .set({ state, stops: '{}', state_reason: null, settled_ms: nowMs })
    .where('batch_id', '=', batchId)
    .execute();
  const actor = { name: 'greenlight', channel: 'system' } as const;
  const act = state === 'unsettled' ? 'unsettled' : 'close';
  const detail = { state, rows: counts, entries: await entriesEnd(tx, batchId) };
  await appendAudit(tx, { atMs: nowMs, actor, act, object: batchId, detail });
  return state;
}
