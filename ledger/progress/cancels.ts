import { sql } from 'kysely';
import { type CancelEffect, cancelOutcome } from '../../domain/answers/cancel-outcome.js';
import type { Actor } from '../../domain/roles.js';
import { appendAudit } from '../access/audit.js';
import { auditedAct } from '../access/audited-act.js';
import { readPolicy } from '../access/policies.js';
import { type BatchRecord, lockBatch, readBatchRecord } from '../batches/batch-record.js';
import type { RowRecord } from '../batches/row-record.js';
import { assertRowsExist } from '../batches/rows-exist.js';
import { pastPlanned } from '../database/partial-indexes.js';
import { type Ledger, LedgerError, type Tx } from '../ledger.js';
import { release } from '../money/movements.js';
import { moveRows, type RowMove } from './row-transitions.js';

export interface CancelRequest {
  readonly batchId: string;
  readonly rowKeys: readonly string[] | 'all';
  readonly actor: Actor;
  readonly reason: string;
  readonly nowMs: number;
}

/**
 * Records who wants which rows canceled, and why. What was not sent ends here and now; rows at the service keep the
 * intent until their follower has told it; what is paid and finished is still archived. Repeating it is harmless.
 *
 * @returns how many rows it ended or marked.
 * @throws LedgerError for a row that the batch does not have, and for single rows of a plan that waits for a decision.
 */
export async function requestCancel(ledger: Ledger, request: CancelRequest): Promise<{ readonly rows: number }> {
  const { batchId, rowKeys, actor, reason, nowMs } = request;
  return auditedAct(ledger, { actor, act: 'cancel', object: batchId, nowMs }, async (tx) => {
    const batch = await lockBatch(tx, batchId);
    if (rowKeys !== 'all') await assertRowsExist(tx, batchId, rowKeys);
    if (batch.state === 'preparing' || batch.state === 'waiting') return cancelPlan(tx, batch, request);
    if (batch.state !== 'making' && batch.state !== 'unsettled') return { rows: 0 };
    if (rowKeys === 'all' && batch.canceled_ms === null) {
      await tx.updateTable('batches').set({ canceled_ms: nowMs }).where('batch_id', '=', batchId).execute();
    }
    const ended = await endUnsent(tx, batch, request);
    const marked = await cancelSent(tx, batch, request);
    const rows = ended + marked;
    if (rows === 0) return { rows };
    const detail = { reason, rows, ended, keys: rowKeys === 'all' ? 'all' : rowKeys };
    await appendAudit(tx, { atMs: nowMs, actor, act: 'cancel', object: batchId, detail });
    return { rows };
  });
}

/** Nothing was approved, so the whole batch is over; one row less would be another plan. */
async function cancelPlan(
  tx: Tx,
  { batch_id: batchId, state }: BatchRecord,
  { rowKeys, actor, reason, nowMs }: CancelRequest,
): Promise<{ readonly rows: number }> {
  if (rowKeys !== 'all') {
    throw new LedgerError(
      'wrong_state',
      `Cannot cancel rows of ${batchId}: it is ${state}, and its plan is approved or rejected as a whole; cancel all of it and submit again`,
    );
  }
  const { numUpdatedRows } = await tx
    .updateTable('rows')
    .set({ state: 'canceled', reason, ended_ms: nowMs, cancel_ms: nowMs })
    .where('batch_id', '=', batchId)
    .where('state', '=', 'planned')
    .executeTakeFirstOrThrow();
  await tx
    .updateTable('batches')
    .set({ state: 'canceled', state_reason: reason, canceled_ms: nowMs, settled_ms: nowMs })
    .where('batch_id', '=', batchId)
    .execute();
  const rows = Number(numUpdatedRows);
  await appendAudit(tx, { atMs: nowMs, actor, act: 'cancel', object: batchId, detail: { reason, rows, keys: 'all' } });
  return { rows };
}

/** Rows that were never admitted, all by one statement. */
async function endUnsent(tx: Tx, { batch_id: batchId }: BatchRecord, request: CancelRequest): Promise<number> {
  const { rowKeys, reason, nowMs } = request;
  const { numUpdatedRows } = await tx
    .updateTable('rows')
    .set({ state: 'canceled', open: 0, reason, alarm: null, ended_ms: nowMs, cancel_ms: nowMs })
    .where('batch_id', '=', batchId)
    .where('state', 'in', ['planned', 'blocked'])
    .$if(rowKeys !== 'all', (query) => query.where('row_key', 'in', [...rowKeys]))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

async function cancelSent(tx: Tx, batch: BatchRecord, request: CancelRequest): Promise<number> {
  const { rowKeys, reason, nowMs } = request;
  const rows = await tx
    .selectFrom('rows')
    .selectAll()
    .where('batch_id', '=', batch.batch_id)
    .where('state', 'in', ['ordering', 'running', 'overdue', 'unknown'])
    .where(pastPlanned)
    .where('cancel_ms', 'is', null)
    .$if(rowKeys !== 'all', (query) => query.where('row_key', 'in', [...rowKeys]))
    .execute();
  const moves: RowMove[] = [];
  for (const row of rows) {
    const { act } = cancelOutcome({ state: row.state, uncertainSends: row.uncertain_sends, sendUnderWay: true });
    if (act === 'release') {
      await releaseRow(tx, batch, { row, nowMs });
      moves.push({ row, to: 'canceled', set: { reason, cancel_ms: nowMs } });
    } else if (act === 'mark') {
      await mark(tx, row, { reason, nowMs });
    }
  }
  await moveRows(tx, batch, { moves, nowMs });
  return rows.length;
}

async function releaseRow(
  tx: Tx,
  batch: BatchRecord,
  { row, nowMs }: { readonly row: RowRecord; readonly nowMs: number },
): Promise<void> {
  const { row_key: rowKey, attempt, amount_minor: amountMinor } = row;
  if (attempt === null || amountMinor === null) return;
  await release(tx, batch, [{ rowKey, attempt, amountMinor, nowMs }]);
}

/** A running row is due at once: its follower sends the cancel. */
async function mark(
  tx: Tx,
  { batch_id, position, state, reason: said }: RowRecord,
  { reason, nowMs }: { readonly reason: string; readonly nowMs: number },
): Promise<void> {
  await tx
    .updateTable('rows')
    .set({
      cancel_ms: nowMs,
      reason: said ?? reason,
      ...(state === 'running' ? { follow_ms: nowMs } : {}),
    })
    .where('batch_id', '=', batch_id)
    .where('position', '=', position)
    .execute();
}

export type CancelPreview = {
  readonly [Effect in CancelEffect]: { readonly rows: number; readonly amountMinor: number };
} & {
  readonly currency: string;
  /** Whether movies are in progress that the service is taken to charge for when they are canceled. */
  readonly charged: boolean;
};

/** Whether a send of a row in `ordering` has no answer yet. */
const underWay = sql<number>`case when rows.state = 'ordering' and exists (
  select 1 from sends where sends.lineage_no = rows.lineage_no and sends.row_key = rows.row_key
    and sends.attempt = rows.attempt and sends.answered_ms is null
) then 1 else 0 end`;

const effects = ['not_spent', 'may_still_leave', 'may_be_charged', 'paid_and_kept', 'unknown', 'ended'] as const;

/**
 * What a cancel would do now; changes nothing.
 *
 * @throws LedgerError for a row that the batch does not have.
 */
export async function previewCancel(
  ledger: Ledger,
  { batchId, rowKeys }: Pick<CancelRequest, 'batchId' | 'rowKeys'>,
): Promise<CancelPreview> {
  const batch = await readBatchRecord(ledger.db, batchId);
  if (rowKeys !== 'all') await assertRowsExist(ledger.db, batchId, rowKeys);
  const rows = await ledger.db
    .selectFrom('rows')
    .select((eb) => [
      'state',
      sql<number>`case when uncertain_sends > 0 then 1 else 0 end`.as('uncertain'),
      underWay.as('under_way'),
      eb.fn.countAll<number>().as('rows'),
      eb.fn.coalesce(eb.fn.sum<number>('amount_minor'), eb.lit(0)).as('amount'),
    ])
    .where('batch_id', '=', batchId)
    .where('ordered', '=', 1)
    .$if(rowKeys !== 'all', (query) => query.where('row_key', 'in', [...rowKeys]))
    .groupBy(['state', 'uncertain', 'under_way'])
    .execute();
  const preview = Object.fromEntries(effects.map((effect) => [effect, { rows: 0, amountMinor: 0 }]));
  for (const { state, uncertain, under_way, rows: count, amount } of rows) {
    const { effect } = cancelOutcome({ state, uncertainSends: uncertain, sendUnderWay: under_way === 1 });
    const before = preview[effect] ?? { rows: 0, amountMinor: 0 };
    preview[effect] = { rows: before.rows + count, amountMinor: before.amountMinor + Number(amount) };
  }
  const { policy } = await readPolicy(ledger.db);
  const totals = preview as Record<CancelEffect, { rows: number; amountMinor: number }>; // one for each of `effects`
  return {
    ...totals,
    currency: batch.currency,
    charged: policy.billing.canceled === 'charged' && totals.may_be_charged.rows > 0,
  };
}
