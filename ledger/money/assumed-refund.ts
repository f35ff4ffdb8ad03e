import { readPolicy } from '../access/policies.js';
import type { BatchRecord } from '../batches/batch-record.js';
import type { RowRecord } from '../batches/row-record.js';
import type { Tx } from '../ledger.js';
import { isCharged } from './invoiced-amounts.js';
import { refund } from './movements.js';

/** A movie that was ordered, and ended without its film. */
export interface UnfinishedMovie {
  readonly row: RowRecord;
  readonly to: 'failed' | 'canceled';
}

/** Gives back what policy takes the service not to charge, unless an invoice charges it; one may do so later. */
export async function refundAsAssumed(
  tx: Tx,
  batch: BatchRecord,
  { unfinished, nowMs }: { readonly unfinished: readonly UnfinishedMovie[]; readonly nowMs: number },
): Promise<void> {
  if (unfinished.length === 0) return;
  const { policy } = await readPolicy(tx);
  for (const { row, to } of unfinished) {
    const { row_key: rowKey, attempt, amount_minor: amountMinor, movie_id: movieId } = row;
    if (policy.billing[to] !== 'refunded') continue;
    if (attempt === null || amountMinor === null || movieId === null) continue;
    if (await isCharged(tx, { serviceNo: batch.service_no, movieId })) continue;
    await refund(tx, batch, { rowKey, attempt, amountMinor, nowMs, note: `assumed: a ${to} movie is not charged` });
  }
}
