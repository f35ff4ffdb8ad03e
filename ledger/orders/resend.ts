import { whyNoRepeat } from '../../domain/answers/create-outcome.js';
import { remembersKey } from '../../domain/deadlines/key-window.js';
import { readPolicy } from '../access/policies.js';
import { lockBatch } from '../batches/batch-record.js';
import { readRowRecord, setRow } from '../batches/row-record.js';
import type { Tx } from '../ledger.js';
import { requestOf } from '../money/orders.js';
import { moveRows } from '../progress/row-transitions.js';
import type { Admission } from './admission.js';
import type { Candidate, Order } from './candidate.js';
import { StaleRead } from './hold.js';
import { takeOrderMoment } from './order-rate.js';
import { countSends } from './sends.js';
import { type StopInForce, stopInForce } from './stop-in-force.js';

/**
 * The next send of a row that was admitted before and has no answer that settles it: a refusal for now, no connection,
 * a lost answer, or a process that died. It is sent again, waits, or its outcome stays unknown.
 *
 * A POST with the same key is a create: under a stop none is sent, whatever came before and whoever asked for it. The
 * row says what it waits for, and becomes unknown when the service may have forgotten its key meanwhile.
 */
export async function resendOrder(tx: Tx, row: Candidate, order: Order): Promise<Admission> {
  const { batchId, rowKey, nowMs } = order;
  const batch = await lockBatch(tx, batchId);
  await assertSame(tx, row);
  const mayExist = row.uncertain_sends > 0;
  const why = mayExist ? await whyNot(tx, row, nowMs) : null;
  if (why !== null) {
    const reason = `a send may have arrived; ${why}`;
    await moveRows(tx, batch, { moves: [{ row, to: 'unknown', set: { reason } }], nowMs });
    return { kind: 'settled' };
  }
  const stop = await stopInForce(tx, batch);
  if (stop) {
    await noteStop(tx, row, stop);
    return { kind: 'blocked', reason: stop.kind };
  }
  const ownMs = row.next_send_ms - nowMs;
  const moment = { serviceNo: row.service_no, nowMs, ordersPerSecond: order.ordersPerSecond ?? null };
  const delayMs = ownMs > 0 ? ownMs : await takeOrderMoment(tx, moment);
  const alarm = row.alarm?.startsWith(stopNote) ? null : row.alarm;
  if (delayMs > 0) {
    if (alarm !== row.alarm) await setRow(tx, row, { alarm });
    return { kind: 'wait', delayMs };
  }
  await setRow(tx, row, {
    uncertain_sends: row.uncertain_sends + 1,
    resend: row.resend === 1 ? 2 : row.resend,
    // The service's memory of the key begins with the first send that may have reached it.
    first_sent_ms: mayExist ? row.first_sent_ms : nowMs,
    alarm,
  });
  const attempt = row.attempt ?? 0;
  const [send = 0] = await countSends(tx, [{ lineageNo: row.lineage_no, rowKey, attempt, batchId, nowMs }]);
  const request = await requestOf(tx, { lineageNo: row.lineage_no, rowKey, attempt });
  return { kind: 'send', attempt, send, ...request, runtimeSeconds: row.runtime_seconds ?? 0 };
}

/** Begins what a row says that waits under a stop. */
export const stopNote = 'not sent again under the stop';

async function noteStop(tx: Tx, row: Candidate, { kind, command }: StopInForce): Promise<void> {
  const before = row.uncertain_sends > 0 ? 'an earlier send may have arrived' : 'nothing has arrived yet';
  const alarm = `${stopNote} "${kind}" (${command}); ${before}`;
  if (row.alarm !== alarm) await setRow(tx, row, { alarm });
}

/** Why a row whose movie may exist is not sent again; null where it is, or where a person has allowed this one send. */
async function whyNot(tx: Tx, row: Candidate, nowMs: number): Promise<string | null> {
  const canceled = row.cancel_ms !== null;
  if (row.resend === 1 && !canceled) return null;
  const { policy } = await readPolicy(tx);
  const withinWindow = remembersKey(row.first_sent_ms, nowMs, policy);
  return whyNoRepeat({ mode: policy.idempotency.mode, canceled, withinWindow });
}

/** The look came before the lock: an answer or a cancel may have been recorded in between. */
async function assertSame(tx: Tx, row: Candidate): Promise<void> {
  const now = await readRowRecord(tx, { batchId: row.batch_id, rowKey: row.row_key });
  const same = (['state', 'attempt', 'uncertain_sends', 'resend', 'next_send_ms', 'cancel_ms'] as const).every(
    (column) => now[column] === row[column],
  );
  if (!same) throw new StaleRead();
}
