import { sql } from 'kysely';
import type { CreateAnswer } from '../../domain/answers/create-answer.js';
import type { Brief } from '../../domain/brief.js';
import { contentDigest } from '../../domain/digests/content-digest.js';
import { idempotencyKey } from '../../domain/idempotency-key.js';
import { amongRecords } from '../database/json-records.js';
import { inOneJourney } from '../database/one-journey.js';
import { preparedForMany } from '../database/prepared-query.js';
import { LedgerError, type Tx } from '../ledger.js';
import { entriesEnd } from '../money/entry-chain.js';
import { recordHolds } from '../money/movements.js';
import { insertOrders, type NewOrder } from '../money/orders.js';
import { closeCanary } from '../stops/canary.js';
import type { Admission } from './admission.js';
import { nextAttempt } from './attempt-number.js';
import type { Candidate, Order } from './candidate.js';
import { assertBudgetsOpen, notInTheMaking, StaleRead, takeFromBatch } from './hold.js';
import { seemsOpen, takePlacesInFlight } from './in-flight-limit.js';
import { requestBodies } from './request-body.js';
import { countSends, noteAnswers } from './sends.js';

/** A row that is to be sent, and what was asked for it. */
export interface Wish {
  readonly row: Candidate;
  readonly order: Order;
}

interface RowAdmitted {
  readonly the_position: number;
  readonly next_attempt: number;
  readonly next_send: number;
  readonly uncertain: number;
}

/**
 * Conditional on their own state and cancel mark: the look before came without a lock. What a lost ledger may have sent
 * already keeps the time since when.
 */
const admitted = preparedForMany<RowAdmitted, Pick<Order, 'batchId' | 'nowMs'>, { readonly position: number }>(
  { the_position: 'int', next_attempt: 'int', next_send: 'int', uncertain: 'int' },
  (db, { batchId, nowMs }) => sql`
    update rows set
      state = 'ordering', attempt = own.next_attempt, uncertain_sends = 1, next_send_ms = own.next_send, resend = 0,
      first_sent_ms = case when rows.uncertain_sends = 0 then ${nowMs} else rows.first_sent_ms end,
      blocked_reason = null, blocked_ms = null, reason = null, alarm = null
    from own
    where rows.batch_id = ${batchId} and rows.position = own.the_position
      and rows.state in ('planned', 'blocked')
      and rows.uncertain_sends = own.uncertain
      and rows.cancel_ms is null
      and rows.open + 0 = 1
      and ${amongRecords(db, 'rows.position', 'the_position')}
    returning rows.position`,
);

/** @throws StaleRead where one of the rows is no longer what the look said. */
async function admitRows(tx: Tx, wishes: readonly Wish[], sends: readonly FirstSend[]): Promise<void> {
  const { batchId = '', nowMs = 0 } = wishes[0]?.order ?? {};
  const records = wishes.map((wish, index) => ({
    ...{ the_position: wish.row.position, next_attempt: sends[index]?.attempt ?? 0 },
    ...{ next_send: isFirst(wish) ? 0 : nowMs + askAgainMs, uncertain: wish.row.uncertain_sends },
  }));
  if ((await admitted(tx, records, { batchId, nowMs })).length !== wishes.length) throw new StaleRead();
}

/** Asked for once more, an order that may have been sent before is repeated or becomes unknown. */
const askAgainMs = 1_000;

function isFirst({ row }: Wish): boolean {
  return row.uncertain_sends === 0;
}

/**
 * Admits the first sends of rows of one batch: all of them, or none. Of a row that a lost ledger may have ordered
 * already, that send is counted, and its answer as lost: nothing leaves yet.
 *
 * @returns the sends, each by its wish.
 */
export async function sendFirst(tx: Tx, wishes: readonly Wish[]): Promise<ReadonlyMap<Wish, Admission>> {
  const [first] = wishes;
  if (!first) return new Map();
  const { batchId, nowMs, ordersPerSecond = null } = first.order;
  const { position, service_no, lineage_no, batch_state } = first.row;
  // Only an approved plan has to be whole: before that a row may well have no price.
  if (batch_state !== 'making') throw notInTheMaking(batchId, batch_state);
  const sends = wishes.map(({ row }) => {
    const brief = JSON.parse(row.brief) as Brief; // written by createBatch
    const attempt = nextAttempt(row);
    return { rowKey: row.row_key, brief, attempt, amountMinor: planned(row, brief), nowMs };
  });
  const amountMinor = sends.reduce((sum, send) => sum + send.amountMinor, 0);
  const [batch, , chain, bodies] = await inOneJourney([
    takeFromBatch(tx, { batchId, position, amountMinor, rows: wishes.length }),
    assertBudgetsOpen(tx, first.row),
    entriesEnd(tx, batchId),
    bodiesOf(tx, wishes, sends),
  ]);
  if (first.row.approved === null) throw contradicts(first.row, 'its plan has no approval');
  // Orders of every batch wait for these places: they are taken last, unless all would be done to be undone.
  const takePlaces = () => takePlacesInFlight(tx, wishes.length, { serviceNo: service_no, nowMs, ordersPerSecond });
  const isOpen = seemsOpen(first.row, wishes.length, nowMs);
  if (!isOpen) await takePlaces();
  const orders = ordersOf(wishes, sends, bodies);
  const counted = sends.map(({ rowKey, attempt }) => ({ lineageNo: lineage_no, rowKey, attempt, batchId, nowMs }));
  const [, , , numbers] = await inOneJourney([
    admitRows(tx, wishes, sends),
    insertOrders(tx, orders),
    recordHolds(tx, batch, { movements: sends, chain }),
    countSends(tx, counted),
    ...(isOpen ? [takePlaces()] : []),
  ]);
  const before = numbers.filter((_, index) => !isFirst(wishes[index] as Wish)); // one for each
  if (before.length > 0) await noteAnswers(tx, before.map(lostAnswer), nowMs);
  await closeCanary(tx, batch, nowMs);
  return new Map(
    wishes.map((wish, index): readonly [Wish, Admission] => {
      if (!isFirst(wish)) return [wish, { kind: 'wait', delayMs: askAgainMs }];
      const { attempt, idempotency_key, request_body } = orders[index] as NewOrder; // one for each
      const request = { attempt, idempotencyKey: idempotency_key, requestBody: request_body };
      const runtimeSeconds = wish.row.runtime_seconds ?? 0;
      return [wish, { kind: 'send', ...request, send: numbers[index] ?? 0, runtimeSeconds }];
    }),
  );
}

function lostAnswer(send: number) {
  const answer: CreateAnswer = { kind: 'lost' };
  return { send, answer: JSON.stringify(answer), requestId: null };
}

interface FirstSend {
  readonly rowKey: string;
  readonly brief: Brief;
  readonly attempt: number;
  readonly amountMinor: number;
}

function bodiesOf(tx: Tx, wishes: readonly Wish[], sends: readonly FirstSend[]): Promise<readonly string[]> {
  const serviceNo = wishes[0]?.row.service_no ?? 0;
  const briefs = sends.map(({ brief }, index) => ({ brief, webhookUrl: wishes[index]?.order.webhookUrl ?? null }));
  return requestBodies(tx, { serviceNo, briefs });
}

function ordersOf(
  wishes: readonly Wish[],
  sends: readonly FirstSend[],
  bodies: readonly string[],
): readonly NewOrder[] {
  return wishes.map(({ row, order }, index) => {
    const { attempt = 0, amountMinor = 0 } = sends[index] ?? {};
    return {
      ...{ lineage_no: row.lineage_no, row_key: row.row_key, attempt, service_no: row.service_no },
      ...{ batch_id: order.batchId, content_digest: row.content_digest, idempotency_key: keyOf(row, attempt) },
      ...{ request_body: bodies[index] ?? '', amount_minor: amountMinor },
    };
  });
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
