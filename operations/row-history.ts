import { type AuditRecord, listAudit } from '../ledger/access/audit.js';
import { assertSeesBatch } from '../ledger/access/sight.js';
import { type RowView, readRow } from '../ledger/batches/rows.js';
import { type RowEntry, rowEntries } from '../ledger/money/row-entries.js';
import { type AttemptRecord, orderHistory } from '../ledger/orders/order-history.js';
import type { WaitReason } from '../reports/wording/wait-reason.js';
import { type BatchLook, type BatchStatus, readBatch } from './batches.js';
import { rowReasons } from './waiting/of-rows.js';
import { type WaitingDeps, whyWaiting } from './why-waiting.js';

/** Everything that the books know about one row. */
export interface RowHistory {
  readonly status: BatchStatus;
  /** Its cells, brief, price, state, polls and files. */
  readonly row: RowView;
  /** Why it is waiting; empty if it is not. */
  readonly reasons: readonly WaitReason[];
  /** Every attempt of its key in the campaign, with its sends, oldest first. */
  readonly attempts: readonly AttemptRecord[];
  /** Movements of its money in this batch. */
  readonly entries: readonly RowEntry[];
  /** What people and the system did with the row and with its whole batch, oldest first. */
  readonly audit: readonly AuditRecord[];
}

export interface RowLook extends BatchLook {
  readonly rowKey: string;
}

/** How many records of a batch are searched for those of one row. */
const recordsSearched = 2_000;

/** @throws LedgerError `unknown_batch`, `unknown_row`, or `not_allowed` for a batch of somebody else's campaign. */
export async function readRowHistory(deps: WaitingDeps, { rowKey, ...look }: RowLook): Promise<RowHistory> {
  const { ledger } = deps;
  await assertSeesBatch(ledger.db, look.actor, look.batchId);
  const status = await readBatch(deps, look);
  const of = { batchId: look.batchId, rowKey };
  const row = await readRow(ledger, of.batchId, rowKey);
  const audit = await listAudit(ledger, { object: of.batchId, limit: recordsSearched });
  return {
    ...{ status, row, reasons: rowReasons(row, await whyWaiting(deps, status, look.actor)) },
    attempts: await orderHistory(ledger.db, of),
    entries: await rowEntries(ledger.db, of),
    audit: audit.filter(({ detail }) => concerns(detail, rowKey)).reverse(),
  };
}

/** A record that names other rows is not about this one; one that names none is about the batch. */
function concerns({ row, keys }: AuditRecord['detail'], rowKey: string): boolean {
  if (row !== undefined) return row === rowKey;
  return Array.isArray(keys) ? keys.includes(rowKey) : true;
}
