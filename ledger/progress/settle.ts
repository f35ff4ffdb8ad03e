import { type RowCounts, settledAs } from '../../domain/batch-state.js';
import type { Policy } from '../../domain/policy.js';
import { appendAudit, auditEnd } from '../access/audit.js';
import { readPolicy } from '../access/policies.js';
import { lockBatch } from '../batches/batch-record.js';
import { type BatchMoney, readBatch } from '../batches/batches.js';
import { countsOf } from '../batches/rows.js';
import type { Ledger, Tx } from '../ledger.js';
import { type ChainEnd, entriesEnd } from '../money/entry-chain.js';
import { type InvoicedShare, invoicedShare } from '../money/invoiced-batches.js';
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

/** What a certificate says of a batch; everything else in it is the rows themselves. */
export interface CertificateFacts {
  readonly batchId: string;
  readonly ledgerId: string;
  readonly planDigest: string | null;
  readonly rowsIn: number;
  readonly rowsOut: number;
  readonly counts: RowCounts;
  readonly money: BatchMoney;
  /** Some rows are not settled for good: the figures may still change. */
  readonly provisional: boolean;
  /** Its service is a rehearsal: no money was spent. */
  readonly rehearsal: boolean;
  readonly assumptions: readonly string[];
  /** What the service is taken to charge for movies that failed or were canceled. */
  readonly billing: Policy['billing'];
  readonly audit: { readonly length: number; readonly head: string };
  /** The end of the batch's chain of entries. */
  readonly entries: ChainEnd;
  readonly invoiced: InvoicedShare;
}

export async function certificateFacts(ledger: Ledger, batchId: string): Promise<CertificateFacts> {
  const batch = await readBatch(ledger, batchId);
  const counts = await countsOf(ledger.db, batchId);
  const { ledger_id: ledgerId } = await ledger.db.selectFrom('ledger').select('ledger_id').executeTakeFirstOrThrow();
  const { policy } = await readPolicy(ledger.db);
  const { audit_length: length, audit_head: head } = await auditEnd(ledger.db);
  return {
    batchId,
    ledgerId,
    planDigest: batch.planDigest,
    rowsIn: batch.rowsInSheet,
    rowsOut: Object.values(counts).reduce((sum, count) => sum + count, 0),
    counts,
    money: batch.money,
    provisional: !['closed', 'canceled', 'refused', 'expired'].includes(batch.state),
    rehearsal: batch.service.rehearsal,
    assumptions: batch.assumptions,
    billing: policy.billing,
    audit: { length, head },
    entries: await entriesEnd(ledger.db, batchId),
    invoiced: await invoicedShare(ledger.db, batchId),
  };
}
