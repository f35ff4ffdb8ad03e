import type { Brief } from '../../domain/brief.js';
import { contentDigest } from '../../domain/digests/content-digest.js';
import { idempotencyKey } from '../../domain/idempotency-key.js';
import type { BlockReason } from '../../domain/stop.js';
import { prepared } from '../database/prepared-query.js';
import { type Ledger, LedgerError, type Tx } from '../ledger.js';
import { recordHold } from '../money/movements.js';
import { insertOrder } from '../money/orders.js';
import { closeCanary } from '../progress/canary.js';
import { type Candidate, candidate, type Order } from './candidate.js';
import { takePlaceInFlight } from './in-flight-limit.js';
import { requestBody } from './request-body.js';
import { resendOrder } from './resend.js';
import { countSend } from './sends.js';
import { AdmissionBlocked, assertBudgetsOpen, notInTheMaking, StaleRead, takeFromBatch } from './take-from-batch.js';

export type Admission =
  /** Hold and intent are on disk, and this send is counted: it may leave, once. */
  | {
      readonly kind: 'send';
      readonly attempt: number;
      /** Names this send in `recordAnswer`. */
      readonly send: number;
      readonly idempotencyKey: string;
      readonly requestBody: string;
      readonly runtimeSeconds: number;
    }
  | { readonly kind: 'blocked'; readonly reason: BlockReason }
  | { readonly kind: 'settled' }
  /** Accepted before. `soon`: it is due before its follower's wake-up. */
  | { readonly kind: 'running'; readonly soon: boolean }
  | { readonly kind: 'wait'; readonly delayMs: number };

/**
 * Admits one send of a row's order, or says why not. One transaction takes the amount out of the batch, a place within
 * the limits, the attempt's number and key, and stores the exact bytes; it is durable before this resolves.
 *
 * A row whose earlier send may have arrived is sent again, same key and bytes, only where that is one movie; otherwise
 * its outcome stays unknown and nothing is sent.
 *
 * @throws LedgerError for a row that is not there, another service, or books that contradict the approved plan.
 */
export async function admitRow(ledger: Ledger, order: Omit<Order, 'nowMs'>): Promise<Admission> {
  for (;;) {
    try {
      return await ledger.write(async (tx) => admit(tx, { ...order, nowMs: await ledger.now(tx) }), { durable: true });
    } catch (error) {
      if (error instanceof AdmissionBlocked) return barred(ledger, order, error);
      if (error instanceof LedgerError && error.code === 'corrupt_books') await alarm(ledger, order, error.message);
      if (!(error instanceof StaleRead)) throw error;
    }
  }
}

async function admit(tx: Tx, order: Order): Promise<Admission> {
  const row = await candidate(tx, order);
  switch (row.state) {
    case 'planned':
    case 'blocked':
      return sendFirst(tx, row, order);
    case 'ordering':
      return resendOrder(tx, row, order);
    case 'running':
      return { kind: 'running', soon: row.follow_ms !== null && row.follow_ms < (row.wake_ms ?? 0) };
    case 'archiving':
      return { kind: 'running', soon: false };
    default:
      return { kind: 'settled' };
  }
}

interface RowAdmitted {
  readonly batchId: string;
  readonly position: number;
  readonly attempt: number;
  readonly nowMs: number;
}

/** Conditional on its own state and cancel mark: the look before came without a lock. */
const admitted = prepared((db, { batchId, position, attempt, nowMs }: RowAdmitted) =>
  db
    .updateTable('rows')
    .set({
      ...{ state: 'ordering', attempt, uncertain_sends: 1, first_sent_ms: nowMs, next_send_ms: 0, resend: 0 },
      ...{ blocked_reason: null, blocked_ms: null, reason: null, alarm: null },
    })
    .where('batch_id', '=', batchId)
    .where('position', '=', position)
    .where('state', 'in', ['planned', 'blocked'])
    .where('cancel_ms', 'is', null)
    .where('open', '=', 1)
    .returning('position'),
);

async function sendFirst(tx: Tx, row: Candidate, order: Order): Promise<Admission> {
  const { batchId, rowKey, nowMs } = order;
  const { position, service_no, lineage_no, content_digest } = row;
  const brief = JSON.parse(row.brief) as Brief; // written by createBatch
  // Only an approved plan has to be whole: before that a row may well have no price.
  if (row.batch_state !== 'making') throw notInTheMaking(batchId, row.batch_state);
  const amountMinor = planned(row, brief);
  const batch = await takeFromBatch(tx, { batchId, position, amountMinor });
  if (row.approved === null) throw contradicts(row, 'its plan has no approval');
  await assertBudgetsOpen(tx, batch);
  await takePlaceInFlight(tx, { serviceNo: service_no, nowMs, ordersPerSecond: order.ordersPerSecond ?? null });
  const attempt = (row.last_attempt ?? 0) + 1;
  if ((await admitted(tx, { batchId, position, attempt, nowMs })).length !== 1) throw new StaleRead();
  const key = keyOf(row, attempt);
  const body = await requestBody(tx, { serviceNo: service_no, brief, webhookUrl: order.webhookUrl ?? null });
  await insertOrder(tx, {
    ...{ lineage_no, row_key: rowKey, attempt, service_no, batch_id: batchId, content_digest },
    ...{ idempotency_key: key, request_body: body, amount_minor: amountMinor },
  });
  await recordHold(tx, batch, { rowKey, attempt, amountMinor, nowMs });
  const send = await countSend(tx, { lineageNo: lineage_no, rowKey, attempt, batchId, nowMs });
  await closeCanary(tx, batch, nowMs);
  const runtimeSeconds = row.runtime_seconds ?? 0;
  return { kind: 'send', attempt, send, idempotencyKey: key, requestBody: body, runtimeSeconds };
}

/** The row as the approved plan has it: ordered, priced, and with the content that was approved. */
function planned(row: Candidate, brief: Brief): number {
  if (row.ordered !== 1) throw contradicts(row, 'it is not in the plan');
  if (row.amount_minor === null) throw contradicts(row, 'it has no price');
  if (contentDigest(brief) !== row.content_digest) throw contradicts(row, 'its brief is not the one that was approved');
  return row.amount_minor;
}

function contradicts({ batch_id, row_key }: Candidate, what: string): LedgerError {
  return new LedgerError('corrupt_books', `Cannot order ${batch_id} ${row_key}: ${what}; nothing was sent`);
}

function keyOf({ name, base_url, campaign, row_key, content_digest }: Candidate, attempt: number): string {
  const service = { name, baseUrl: base_url };
  return idempotencyKey({ service, campaign, rowKey: row_key, contentDigest: content_digest, attempt });
}

/** A row that contradicts the approved plan stays where it is until somebody cancels it; what it waited for is past. */
async function alarm(
  ledger: Ledger,
  { batchId, rowKey }: Pick<Order, 'batchId' | 'rowKey'>,
  message: string,
): Promise<void> {
  await ledger.write((tx) =>
    tx
      .updateTable('rows')
      .set({
        state: 'planned',
        blocked_reason: null,
        blocked_ms: null,
        alarm: `${message}; cancel it, and submit again`,
        alarm_ms: ledger.clock(),
      })
      .where('batch_id', '=', batchId)
      .where('row_key', '=', rowKey)
      .where('state', 'in', ['planned', 'blocked'])
      .execute(),
  );
}

/** Notes on the row why it stays outside, unless it says so already. */
async function barred(
  ledger: Ledger,
  { batchId, rowKey }: Pick<Order, 'batchId' | 'rowKey'>,
  { reason, delayMs }: AdmissionBlocked,
): Promise<Admission> {
  if (delayMs !== null) return { kind: 'wait', delayMs };
  await ledger.write(async (tx) =>
    tx
      .updateTable('rows')
      .set({ state: 'blocked', blocked_reason: reason, blocked_ms: await ledger.now(tx), alarm: null })
      .where('batch_id', '=', batchId)
      .where('row_key', '=', rowKey)
      .where('state', 'in', ['planned', 'blocked'])
      .where((eb) => eb.or([eb('blocked_reason', 'is', null), eb('blocked_reason', '!=', reason)]))
      .execute(),
  );
  return { kind: 'blocked', reason };
}
