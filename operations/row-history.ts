import { type AuditRecord, listAudit } from '../ledger/access/audit.js';
import { assertSeesBatch } from '../ledger/access/sight.js';
import { type RowView, readRow } from '../ledger/batches/rows.js';
import { type RowEntry, rowEntries } from '../ledger/money/row-entries.js';
import { type AttemptRecord, orderHistory } from '../ledger/orders/order-history.js';
import type { WaitReason } from '../reports/wording/wait-reason.js';
import { type BatchLook, type BatchStatus, readBatch } from './batches.js';
import { rowReasons } from './waiting/of-rows.js';
import { type WaitingDeps, whyWaiting } from './why-waiting.js';

/** Everything that the books know of one row. */
export interface RowHistory {
  readonly status: BatchStatus;
  /** Its cell, brief, price, state, looks and files. */
  readonly row: RowView;
  /** Why it does not go on; empty where it does. */
  readonly reasons: readonly WaitReason[];
  /** Every attempt of its key in the campaign, with its sends, the oldest first. */
  readonly attempts: readonly AttemptRecord[];
  /** Movements of its money in this batch. */
  readonly entries: readonly RowEntry[];
  /** What people and the books did with the row, and with its whole batch; the oldest first. */
  readonly audit: readonly AuditRecord[];
}

export interface RowLook extends BatchLook {
  readonly rowKey: string;
}

/** Records of a batch that are looked through for those of one row. */
const recordsLookedAt = 2_000;

/** @throws LedgerError `unknown_batch`, `unknown_row`, or `not_allowed` for a batch of another's campaign. */
export async function readRowHistory(deps: WaitingDeps, { rowKey, ...look }: RowLook): Promise<RowHistory> {
  const { ledger } = deps;
  await assertSeesBatch(ledger.db, look.actor, look.batchId);
  const status = await readBatch(deps, look);
  const of = { batchId: look.batchId, rowKey };
  const row = await readRow(ledger, of.batchId, rowKey);
  const audit = await listAudit(ledger, { object: of.batchId, limit: recordsLookedAt });
  return {
    ...{ status, row, reasons: rowReasons(row, await whyWaiting(deps, status, look.actor)) },
    attempts: await orderHistory(ledger.db, of),
    entries: await rowEntries(ledger.db, of),
    audit: audit.filter(({ detail }) => concerns(detail, rowKey)).reverse(),
  };
}

/** What names other rows is not about this one; what names none is about the batch. */
function concerns({ row, keys }: AuditRecord['detail'], rowKey: string): boolean {
  if (row !== undefined) return row === rowKey;
  return Array.isArray(keys) ? keys.includes(rowKey) : true;
}
