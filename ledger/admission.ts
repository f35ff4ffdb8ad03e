import { sql } from 'kysely';
import type { Brief } from '../domain/brief.js';
import { contentDigest } from '../domain/content-digest.js';
import { whyNoRepeat } from '../domain/create-outcome.js';
import { idempotencyKey } from '../domain/idempotency-key.js';
import type { Service } from '../domain/service.js';
import type { BlockReason } from '../domain/stop.js';
import { lockBatch, settingsOf, storedStops } from './batches.js';
import { type Ledger, LedgerError, type Tx } from './ledger.js';
import { enterHold, type Purse } from './movements.js';
import { readPolicy } from './policies.js';
import { onPostgres } from './postgres.js';
import { requestBody } from './request-body.js';
import { moveRows } from './row-moves.js';
import { unknownRow } from './rows.js';
import { stopBatch } from './stops.js';

export { type AdmissionRoom, admissionOpen } from './admission-room.js';
export { type AnswerRecorded, type NewAnswer, recordAnswer } from './answers.js';

export interface Order {
  readonly batchId: string;
  readonly rowKey: string;
  /** The one service that the caller sends to. */
  readonly service: Pick<Service, 'name' | 'baseUrl'>;
  /** Where the service sends its events; part of the request, null where nobody listens. */
  readonly webhookUrl?: string | null;
  readonly nowMs: number;
}

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
export async function admitRow(ledger: Ledger, order: Order): Promise<Admission> {
  for (;;) {
    try {
      return await ledger.write((tx) => admit(tx, order), { durable: true });
    } catch (error) {
      if (error instanceof Barred) return barred(ledger, order, error);
      if (!(error instanceof Overtaken)) throw error;
    }
  }
}

/** Undoes a transaction that found the way barred after it had taken something. */
class Barred extends Error {
  readonly reason: BlockReason;
  readonly delayMs: number | null;

  constructor(reason: BlockReason, delayMs: number | null = null) {
    super(reason);
    this.reason = reason;
    this.delayMs = delayMs;
  }
}

/** Undoes a transaction whose row was changed between the look and the lock. */
class Overtaken extends Error {}

async function admit(tx: Tx, order: Order): Promise<Admission> {
  const row = await candidate(tx, order);
  switch (row.state) {
    case 'planned':
    case 'blocked':
      return firstSend(tx, row, order);
    case 'ordering':
      return nextSend(tx, row, order);
    case 'running':
      return { kind: 'running', soon: row.follow_ms !== null && row.follow_ms < (row.wake_ms ?? 0) };
    case 'archiving':
      return { kind: 'running', soon: false };
    default:
      return { kind: 'settled' };
  }
}

async function candidate(tx: Tx, { batchId, rowKey, service }: Order) {
  const row = await tx
    .selectFrom('rows')
    .innerJoin('batches', 'batches.batch_id', 'rows.batch_id')
    .innerJoin('lineages', 'lineages.lineage_no', 'rows.lineage_no')
    .innerJoin('services', 'services.service_no', 'batches.service_no')
    .leftJoin('decisions', (join) =>
      join
        .onRef('decisions.batch_id', '=', 'batches.batch_id')
        .onRef('decisions.plan_digest', '=', 'batches.plan_digest')
        .on('decisions.kind', '=', 'approved'),
    )
    .leftJoin('slices', (join) =>
      join.onRef('slices.batch_id', '=', 'rows.batch_id').onRef('slices.slice', '=', 'rows.slice'),
    )
    .select(['rows.position', 'rows.row_key', 'rows.lineage_no', 'rows.state', 'rows.slice', 'rows.attempt'])
    .select(['rows.brief', 'rows.content_digest', 'rows.amount_minor', 'rows.runtime_seconds', 'rows.ordered'])
    .select(['rows.uncertain_sends', 'rows.resend', 'rows.next_send_ms', 'rows.first_sent_ms', 'rows.cancel_ms'])
    .select(['rows.follow_ms', 'slices.wake_ms', 'batches.service_no', 'lineages.campaign'])
    .select(['services.name', 'services.base_url', 'services.not_before_ms', 'decisions.total_minor as approved'])
    .select((eb) =>
      eb
        .selectFrom('orders')
        .select((inner) => inner.fn.max('attempt').as('last'))
        .whereRef('orders.lineage_no', '=', 'rows.lineage_no')
        .whereRef('orders.row_key', '=', 'rows.row_key')
        .as('last_attempt'),
    )
    .where('rows.batch_id', '=', batchId)
    .where('rows.row_key', '=', rowKey)
    .executeTakeFirst();
  if (!row) throw unknownRow(batchId, rowKey);
  if (row.name !== service.name || row.base_url !== service.baseUrl) {
    throw new LedgerError(
      'wrong_state',
      `Cannot order ${batchId} ${rowKey}: it is for ${row.name} (${row.base_url}), this worker serves ${service.name}`,
    );
  }
  return row;
}

type Candidate = Awaited<ReturnType<typeof candidate>>;

async function firstSend(tx: Tx, row: Candidate, order: Order): Promise<Admission> {
  const { batchId, rowKey, nowMs } = order;
  const amountMinor = planned(row, order);
  const batch = await takeFromBatch(tx, { batchId, amountMinor });
  if (row.approved === null) throw contradicts(order, 'its plan has no approval');
  await assertBudgetsOpen(tx, batch.levels);
  await takePlaceInFlight(tx, row, nowMs);
  const attempt = (row.last_attempt ?? 0) + 1;
  const admitted = await tx
    .updateTable('rows')
    .set({
      ...{ state: 'ordering', attempt, uncertain_sends: 1, first_sent_ms: nowMs, next_send_ms: 0, resend: 0 },
      ...{ blocked_reason: null, blocked_ms: null, reason: null, alarm: null },
    })
    .where('batch_id', '=', batchId)
    .where('position', '=', row.position)
    .where('state', 'in', ['planned', 'blocked'])
    .where('cancel_ms', 'is', null)
    .where('open', '=', 1)
    .executeTakeFirstOrThrow();
  assertNotOvertaken(admitted);
  const service = { name: row.name, baseUrl: row.base_url };
  const { campaign, content_digest, service_no, lineage_no } = row;
  const key = idempotencyKey({ service, campaign, rowKey, contentDigest: content_digest, attempt });
  const body = await requestBody(tx, {
    serviceNo: service_no,
    brief: briefOf(row),
    webhookUrl: order.webhookUrl ?? null,
  });
  await tx
    .insertInto('orders')
    .values({
      ...{ lineage_no, row_key: rowKey, attempt, service_no, batch_id: batchId, content_digest },
      ...{ idempotency_key: key, request_body: body, amount_minor: amountMinor, money: 'held', movie_id: null },
    })
    .execute();
  await enterHold(tx, batch, { rowKey, attempt, amountMinor, nowMs });
  const send = await countSend(tx, { row, attempt, batchId, nowMs });
  const { runtime_seconds: runtimeSeconds } = row;
  await closeCanary(tx, batch, nowMs);
  return { kind: 'send', attempt, send, idempotencyKey: key, requestBody: body, runtimeSeconds: runtimeSeconds ?? 0 };
}

/** The row as the approved plan has it: ordered, priced, and with the content that was approved. */
function planned(row: Candidate, order: Order): number {
  if (row.ordered !== 1) throw contradicts(order, 'it is not in the plan');
  if (row.amount_minor === null) throw contradicts(order, 'it has no price');
  if (contentDigest(briefOf(row)) !== row.content_digest) {
    throw contradicts(order, 'its brief is not the one that was planned');
  }
  return row.amount_minor;
}

function contradicts({ batchId, rowKey }: Order, what: string): LedgerError {
  return new LedgerError('corrupt_books', `Cannot order ${batchId} ${rowKey}: ${what}; nothing was sent`);
}

function briefOf({ brief }: Pick<Candidate, 'brief'>): Brief {
  return JSON.parse(brief) as Brief; // written by createBatch
}

interface TakenBatch extends Purse {
  readonly canary_left: number | null;
  readonly rows_to_order: number;
  readonly settings: string;
  readonly stops: string;
}

/** The hold: `held + posted + amount <= approved`, and the batch's own conditions, in one update. */
async function takeFromBatch(
  tx: Tx,
  { batchId, amountMinor }: { readonly batchId: string; readonly amountMinor: number },
): Promise<TakenBatch> {
  const taken = await tx
    .updateTable('batches')
    .set((eb) => ({
      held_minor: eb('held_minor', '+', amountMinor),
      in_flight: eb('in_flight', '+', 1),
      canary_left: eb('canary_left', '-', 1),
      revision: eb('revision', '+', 1),
    }))
    .where('batch_id', '=', batchId)
    .where('state', '=', 'making')
    .where('stops', '=', '{}')
    .where(sql<boolean>`held_minor + posted_minor + returned_minor + ${amountMinor} <= approved_minor`)
    .where((eb) => eb.or([eb('max_in_flight', 'is', null), eb('in_flight', '<', eb.ref('max_in_flight'))]))
    .where((eb) => eb.or([eb('canary_left', 'is', null), eb('canary_left', '>', 0)]))
    .returning(['batch_id', 'lineage_no', 'levels', 'currency', 'canary_left', 'rows_to_order', 'settings', 'stops'])
    .executeTakeFirst();
  if (taken) return taken;
  throw await whatBars(tx, batchId);
}

/** Read after the update that found no batch to take from. */
async function whatBars(tx: Tx, batchId: string): Promise<Error> {
  const batch = await lockBatch(tx, batchId);
  const { state, in_flight: inFlight, max_in_flight: maxInFlight, canary_left: canaryLeft } = batch;
  if (state !== 'making') {
    return new LedgerError('wrong_state', `Cannot order from ${batchId}: it is ${state}, not in the making`);
  }
  const [stop] = Object.keys(storedStops(batch)) as BlockReason[]; // keys of StoredStops
  if (stop) return new Barred(stop);
  if (maxInFlight !== null && inFlight >= maxInFlight) return new Barred('in_flight');
  if (canaryLeft !== null && canaryLeft <= 0) return new Barred('canary');
  return new LedgerError(
    'corrupt_books',
    `Cannot order from ${batchId}: its approved amount is used up; nothing was sent`,
  );
}

/** Shares the budgets' locks, so that a stop either comes before this admission or waits for it. */
async function assertBudgetsOpen(tx: Tx, levels: string): Promise<void> {
  const query = tx
    .selectFrom('budgets')
    .select('stopped_ms')
    .where('path', 'in', JSON.parse(levels) as string[]) // written by commit
    .orderBy('path');
  const budgets = await (onPostgres(tx) ? query.forShare() : query).execute();
  if (budgets.some(({ stopped_ms }) => stopped_ms !== null)) throw new Barred('budget');
}

/** The service's own row: its limit over all batches, the pause that it asked for, and a ledger that may order. */
async function takePlaceInFlight(tx: Tx, { service_no }: Candidate, nowMs: number): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('services')
    .set((eb) => ({ in_flight: eb('in_flight', '+', 1) }))
    .where('service_no', '=', service_no)
    .where((eb) => eb.or([eb('max_in_flight', 'is', null), eb('in_flight', '<', eb.ref('max_in_flight'))]))
    .where('not_before_ms', '<=', nowMs)
    .where((eb) => eb.not(eb.exists(eb.selectFrom('ledger').select('id').where('halted', 'is not', null))))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 1n) return;
  const service = await tx
    .selectFrom('services')
    .selectAll()
    .where('service_no', '=', service_no)
    .executeTakeFirstOrThrow();
  if (await isHalted(tx)) throw new Barred('restored');
  const delayMs = service.not_before_ms - nowMs;
  throw new Barred('in_flight', delayMs > 0 ? delayMs : null);
}

async function isHalted(tx: Tx): Promise<boolean> {
  const { halted } = await tx.selectFrom('ledger').select('halted').executeTakeFirstOrThrow();
  return halted !== null;
}

/** After the last row of a canary: nothing more until somebody has looked. */
async function closeCanary(tx: Tx, batch: TakenBatch, nowMs: number): Promise<void> {
  const { canary } = settingsOf(batch);
  if (batch.canary_left !== 0 || canary === null || batch.rows_to_order <= canary) return;
  await stopBatch(tx, batch, { kind: 'canary', detail: `the first ${canary} rows are ordered; look at them`, nowMs });
}

/** The row was admitted before and has no answer: it is sent again, waits, or its outcome stays unknown. */
async function nextSend(tx: Tx, row: Candidate, order: Order): Promise<Admission> {
  const { batchId, rowKey, nowMs } = order;
  const batch = await lockBatch(tx, batchId);
  const attempt = row.attempt ?? 0;
  const waitMs = Math.max(row.next_send_ms, row.not_before_ms) - nowMs;
  const mayExist = row.uncertain_sends > 0;
  const allowedByPerson = row.resend === 1 && row.cancel_ms === null;
  if (mayExist && !allowedByPerson) {
    const { policy } = await readPolicy(tx);
    const { mode, windowHours } = policy.idempotency;
    const withinWindow = nowMs - (row.first_sent_ms ?? 0) < windowHours * 3_600_000;
    const why = whyNoRepeat({ mode, canceled: row.cancel_ms !== null, withinWindow });
    if (why !== null) {
      await assertStillOrdering(tx, row, order);
      const reason = `a send may have arrived; ${why}`;
      await moveRows(tx, batch, { moves: [{ row, to: 'unknown', set: { reason } }], nowMs });
      return { kind: 'settled' };
    }
  }
  if (waitMs > 0) return { kind: 'wait', delayMs: waitMs };
  const barredBy = await whatBarsRepeat(tx, batch, { mayExist });
  if (barredBy) return { kind: 'blocked', reason: barredBy };
  const counted = await tx
    .updateTable('rows')
    .set({
      uncertain_sends: row.uncertain_sends + 1,
      resend: row.resend === 1 ? 2 : row.resend,
      ...(mayExist ? {} : { first_sent_ms: nowMs }),
    })
    .where('batch_id', '=', batchId)
    .where('position', '=', row.position)
    .where('state', '=', 'ordering')
    .where('attempt', '=', attempt)
    .where('uncertain_sends', '=', row.uncertain_sends)
    .where((eb) => (row.cancel_ms === null ? eb('cancel_ms', 'is', null) : eb('cancel_ms', '=', row.cancel_ms)))
    .executeTakeFirstOrThrow();
  assertNotOvertaken(counted);
  const { idempotency_key, request_body } = await tx
    .selectFrom('orders')
    .select(['idempotency_key', 'request_body'])
    .where('lineage_no', '=', row.lineage_no)
    .where('row_key', '=', rowKey)
    .where('attempt', '=', attempt)
    .executeTakeFirstOrThrow();
  const send = await countSend(tx, { row, attempt, batchId, nowMs });
  const sent = { idempotencyKey: idempotency_key, requestBody: request_body };
  return { kind: 'send', attempt, send, ...sent, runtimeSeconds: row.runtime_seconds ?? 0 };
}

/**
 * A repeat holds no new money. Where a movie may exist already, asking for it goes on under every stop but those that
 * say that no request of ours is answered or believed; where certainly nothing arrived, it is an order like any other.
 */
async function whatBarsRepeat(
  tx: Tx,
  batch: Awaited<ReturnType<typeof lockBatch>>,
  { mayExist }: { readonly mayExist: boolean },
): Promise<BlockReason | null> {
  const stops = storedStops(batch);
  if (stops.credentials) return 'credentials';
  if (await isHalted(tx)) return 'restored';
  if (mayExist) return null;
  const [stop] = Object.keys(stops) as BlockReason[]; // keys of StoredStops
  // The canary's own rows are the ones that it waits for.
  if (stop && stop !== 'canary') return stop;
  try {
    await assertBudgetsOpen(tx, batch.levels);
    return null;
  } catch (error) {
    if (error instanceof Barred) return error.reason;
    throw error;
  }
}

async function assertStillOrdering(tx: Tx, row: Candidate, { batchId }: Order): Promise<void> {
  const now = await tx
    .selectFrom('rows')
    .select(['state', 'attempt', 'uncertain_sends'])
    .where('batch_id', '=', batchId)
    .where('position', '=', row.position)
    .executeTakeFirstOrThrow();
  const same = now.state === 'ordering' && now.attempt === row.attempt && now.uncertain_sends === row.uncertain_sends;
  if (!same) throw new Overtaken();
}

function assertNotOvertaken({ numUpdatedRows }: { readonly numUpdatedRows: bigint }): void {
  if (numUpdatedRows !== 1n) throw new Overtaken();
}

interface NewSend {
  readonly row: Pick<Candidate, 'lineage_no' | 'row_key'>;
  readonly attempt: number;
  readonly batchId: string;
  readonly nowMs: number;
}

async function countSend(tx: Tx, { row, attempt, batchId, nowMs }: NewSend): Promise<number> {
  const { lineage_no, row_key } = row;
  const { send_id } = await tx
    .insertInto('sends')
    .values({
      lineage_no,
      row_key,
      attempt,
      batch_id: batchId,
      at_ms: nowMs,
      answered_ms: null,
      answer: null,
      request_id: null,
    })
    .returning('send_id')
    .executeTakeFirstOrThrow();
  return send_id;
}

/** Notes on the row why it stays outside, unless it says so already. */
async function barred(
  ledger: Ledger,
  { batchId, rowKey, nowMs }: Order,
  { reason, delayMs }: Barred,
): Promise<Admission> {
  if (delayMs !== null) return { kind: 'wait', delayMs };
  await ledger.write((tx) =>
    tx
      .updateTable('rows')
      .set({ state: 'blocked', blocked_reason: reason, blocked_ms: nowMs })
      .where('batch_id', '=', batchId)
      .where('row_key', '=', rowKey)
      .where('state', 'in', ['planned', 'blocked'])
      .where((eb) => eb.or([eb('blocked_reason', 'is', null), eb('blocked_reason', '!=', reason)]))
      .execute(),
  );
  return { kind: 'blocked', reason };
}
