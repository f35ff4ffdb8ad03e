import type { BlockReason } from '../../domain/stop.js';
import { waitForBatch } from '../batches/batch-record.js';
import { inOneJourney } from '../database/one-journey.js';
import { alone, together } from '../database/together.js';
import { type Ledger, LedgerError, type Tx } from '../ledger.js';
import { candidates, type Order } from './candidate.js';
import { sendFirst, type Wish } from './first-sends.js';
import { AdmissionBlocked, StaleRead } from './hold.js';
import { resendOrder } from './resend.js';

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

type Asked = Omit<Order, 'nowMs'>;

const admitTogether = together<Asked, Admission, unknown>({
  durable: true,
  keyOf: ({ batchId }) => batchId,
  // Where a rate is kept, each order takes a moment of its own.
  namesOf: ({ rowKey, ordersPerSecond = null }) => [rowKey, ...(ordersPerSecond === null ? [] : ['at a rate'])],
  lock: waitForBatch,
  serve: admit,
});

/**
 * Admits one send of a row's order, or says why not. One transaction takes the amount out of the batch, a place within
 * the limits, the attempt's number and key, and stores the exact bytes; it is durable before this resolves.
 *
 * A row whose earlier send may have arrived is sent again, same key and bytes, only where that is one movie; otherwise
 * its outcome stays unknown and nothing is sent.
 *
 * @throws LedgerError for a row that is not there, another service, or books that contradict the approved plan.
 */
export async function admitRow(ledger: Ledger, order: Asked): Promise<Admission> {
  for (;;) {
    try {
      return await admitTogether(ledger, order);
    } catch (error) {
      if (error instanceof AdmissionBlocked) return barred(ledger, order, error);
      if (error instanceof LedgerError && error.code === 'corrupt_books') await alarm(ledger, order, error.message);
      if (!(error instanceof StaleRead)) throw error;
    }
  }
}

/** One batch's rows: all that are sent for the first time, or none of them. */
async function admit(
  tx: Tx,
  asked: readonly Asked[],
  { ledger }: { readonly ledger: Ledger },
): Promise<readonly (Admission | typeof alone)[]> {
  const [nowMs, rows] = await inOneJourney([ledger.now(tx), candidates(tx, asked)]);
  const orders = asked.map((each) => ({ ...each, nowMs }));
  const wishes = rows.map((row, index) => ({ row, order: orders[index] as Order })); // one for each
  const firsts = wishes.filter(({ row: { state } }) => state === 'planned' || state === 'blocked');
  const sends = await sendFirst(tx, firsts);
  return Promise.all(wishes.map(async (wish) => sends.get(wish) ?? goOn(tx, wish, orders.length)));
}

/** A row that was admitted before. */
async function goOn(tx: Tx, { row, order }: Wish, asks: number): Promise<Admission | typeof alone> {
  switch (row.state) {
    case 'ordering':
      return asks > 1 ? alone : resendOrder(tx, row, order);
    case 'running':
      return { kind: 'running', soon: row.follow_ms !== null && row.follow_ms < (row.wake_ms ?? 0) };
    case 'archiving':
      return { kind: 'running', soon: false };
    default:
      return { kind: 'settled' };
  }
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
