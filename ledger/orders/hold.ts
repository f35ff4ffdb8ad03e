import { sql } from 'kysely';
import type { BlockReason } from '../../domain/stop.js';
import { type BatchRecord, lockBatch, storedStops } from '../batches/batch-record.js';
import { prepared } from '../database/prepared-query.js';
import { LedgerError, type Tx } from '../ledger.js';
import { stoppedBudget } from './stop-in-force.js';

/*
 * What stands between a row and its order. Whoever pauses, trips, cancels or stops writes the same rows, so one of the
 * two comes first. The order of all locks is told in docs/money.md.
 */

/** Undoes a transaction that found the way barred after it had taken something. */
export class AdmissionBlocked extends Error {
  readonly reason: BlockReason;
  /** Until the service may be asked again; null where something else has to happen first. */
  readonly delayMs: number | null;

  constructor(reason: BlockReason, delayMs: number | null = null) {
    super(reason);
    this.reason = reason;
    this.delayMs = delayMs;
  }
}

/** Undoes a transaction that was overtaken between its look and its lock; it is tried again. */
export class StaleRead extends Error {}

const take = prepared((db, { batchId, amountMinor, rows }: Omit<TakeRequest, 'position'>) =>
  db
    .updateTable('batches')
    .set((eb) => ({
      held_minor: eb('held_minor', '+', amountMinor),
      in_flight: eb('in_flight', '+', rows),
      canary_left: eb('canary_left', '-', rows),
      revision: eb('revision', '+', 1),
    }))
    .where('batch_id', '=', batchId)
    .where('state', '=', 'making')
    .where('stops', '=', '{}')
    .where(sql<boolean>`held_minor + posted_minor + returned_minor + ${amountMinor} <= approved_minor`)
    .where(sql<boolean>`(max_in_flight is null or in_flight + ${rows} <= max_in_flight)`)
    .where((eb) => eb.or([eb('canary_left', 'is', null), eb('canary_left', '>=', rows)]))
    .returningAll(),
);

/**
 * Takes the amounts of rows out of what was approved, and a place in the batch for each. All or nothing, never less than
 * asked for.
 *
 * @throws AdmissionBlocked by a stop or a limit of the batch; StaleRead where what was in the way, or the row's turn, is over by
 * now; LedgerError where the batch is not in progress.
 */
export async function takeFromBatch(tx: Tx, wish: TakeRequest): Promise<BatchRecord> {
  const [taken] = await take(tx, wish);
  if (taken) return taken;
  throw await blockReason(tx, wish);
}

interface TakeRequest {
  readonly batchId: string;
  /** Of the first row. */
  readonly position: number;
  /** Of all rows together. */
  readonly amountMinor: number;
  readonly rows: number;
}

/** Read under the batch's lock, after the update that found no batch to take from. It speaks of a single row. */
async function blockReason(tx: Tx, { batchId, position, amountMinor }: TakeRequest): Promise<Error> {
  const batch = await lockBatch(tx, batchId);
  const { state, in_flight: inFlight, max_in_flight: maxInFlight, canary_left: canaryLeft } = batch;
  if (state !== 'making') return notInTheMaking(batchId, state);
  const [stop] = Object.keys(storedStops(batch)) as BlockReason[]; // keys of StoredStops
  if (stop) return new AdmissionBlocked(stop);
  if (maxInFlight !== null && inFlight >= maxInFlight) return new AdmissionBlocked('in_flight');
  if (canaryLeft !== null && canaryLeft <= 0) return new AdmissionBlocked('canary');
  const left = batch.approved_minor - batch.held_minor - batch.posted_minor - batch.returned_minor;
  if (amountMinor <= left || !(await isUnordered(tx, batchId, position))) return new StaleRead();
  const why = 'its approved amount is used up; nothing was sent';
  return new LedgerError('corrupt_books', `Cannot order from ${batchId}: ${why}`);
}

export function notInTheMaking(batchId: string, state: string): LedgerError {
  return new LedgerError('wrong_state', `Cannot order from ${batchId}: it is ${state}, not in progress`);
}

/** Under the batch's lock nobody else can admit the row any more. */
async function isUnordered(tx: Tx, batchId: string, position: number): Promise<boolean> {
  const row = await tx
    .selectFrom('rows')
    .select('position')
    .where('batch_id', '=', batchId)
    .where('position', '=', position)
    .where('state', 'in', ['planned', 'blocked'])
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Shares the locks of the batch's budgets, so that a stop either comes before this admission or waits for it.
 *
 * @throws AdmissionBlocked
 */
export async function assertBudgetsOpen(tx: Tx, batch: Pick<BatchRecord, 'budget_path'>): Promise<void> {
  if ((await stoppedBudget(tx, batch)) !== null) throw new AdmissionBlocked('budget');
}
