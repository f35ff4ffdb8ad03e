import type { Policy } from '../../domain/policy.js';
import type { BatchRecord } from '../batches/batch-record.js';
import type { RowRecord } from '../batches/row-record.js';
import type { Tx } from '../ledger.js';
import { isCharged } from './invoiced-amounts.js';
import { refund } from './movements.js';

interface RefundOf {
  readonly row: RowRecord;
  readonly to: 'failed' | 'canceled';
  readonly billing: Policy['billing'];
  readonly nowMs: number;
}

/** Gives back what policy takes the service not to charge, unless an invoice charges it; one may do so later. */
export async function refundAsAssumed(
  tx: Tx,
  batch: BatchRecord,
  { row, to, billing, nowMs }: RefundOf,
): Promise<void> {
  if (billing[to] !== 'refunded') return;
  const { row_key: rowKey, attempt, amount_minor: amountMinor, movie_id: movieId } = row;
  if (attempt === null || amountMinor === null || movieId === null) return;
  if (await isCharged(tx, { serviceNo: batch.service_no, movieId })) return;
  await refund(tx, batch, { rowKey, attempt, amountMinor, nowMs, note: `assumed: a ${to} movie is not charged` });
}
