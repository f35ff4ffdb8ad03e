import { type Insertable, type Selectable, sql } from 'kysely';
import { formatMoney } from '../domain/money.js';
import { levelWithoutRoom, roomMinor } from '../domain/room.js';
import { readLevels } from './budget-levels.js';
import { LedgerError, type Tx } from './ledger.js';
import type { BatchesTable, EntriesTable, EntryKind } from './tables.js';

export type BatchRecord = Selectable<BatchesTable>;
/** As much of a batch as its money needs. */
export type Purse = Pick<BatchRecord, 'batch_id' | 'lineage_no' | 'levels' | 'currency'>;

/** The order whose money moves. */
export interface Movement {
  readonly rowKey: string;
  readonly attempt: number;
  readonly amountMinor: number;
  readonly nowMs: number;
}

/*
 * How money moves. Each movement is one entry and the counters that follow from it, in the caller's transaction, under
 * the batch's lock. Outermost budget first: every transaction locks the levels in that order.
 *
 *   commit    budgets: committed + · batch: approved +            at the approval
 *   hold      batch: held +                                       at the admission
 *   post      budgets: committed − spent + · batch: held − posted +   when the service accepts
 *   release   batch: held −                                       when it certainly created nothing
 *   uncommit  budgets: committed − · batch: returned +            when the batch settles
 *   refund    budgets: spent − · batch: refunded +                what the service is taken not to charge
 *   correction  budgets: spent ±, overrun + · batch: overrun +    what an invoice says
 */

/** @throws LedgerError when a level has no room for the total. */
export async function commit(
  tx: Tx,
  batch: BatchRecord,
  { amountMinor, nowMs }: { readonly amountMinor: number; readonly nowMs: number },
): Promise<readonly string[]> {
  const levels = await readLevels(tx, batch.budget_path, { locked: true });
  if (levels.length === 0) throw noBudget(batch.batch_id, batch.budget_path);
  const full = levelWithoutRoom(levels, amountMinor);
  if (full) {
    const money = (minor: number) => formatMoney({ amountMinor: minor, currency: full.currency });
    throw new LedgerError(
      'no_room',
      `Cannot approve ${batch.batch_id}: budget ${full.path} has room for ${money(roomMinor(full))}, the plan needs ` +
        `${money(amountMinor)} (limit ${money(full.limitMinor)}, committed ${money(full.committedMinor)}, ` +
        `spent ${money(full.spentMinor + full.overrunMinor)}); raise the limit or order less`,
    );
  }
  const paths = levels.map(({ path }) => path);
  await moveBudgets(tx, paths, { committed: amountMinor });
  await tx
    .updateTable('batches')
    .set({ approved_minor: amountMinor, levels: JSON.stringify(paths) })
    .where('batch_id', '=', batch.batch_id)
    .execute();
  await enter(tx, batch, { kind: 'commit', amountMinor, nowMs });
  return paths;
}

export function noBudget(what: string, path: string): LedgerError {
  return new LedgerError(
    'no_budget',
    `Cannot plan ${what}: no budget is defined on the path ${path}; define one with "greenlight budget set ${path} <limit>"`,
  );
}

/** The entry alone: the admission has already taken the amount out of the batch, in the condition that allows it. */
export async function enterHold(tx: Tx, batch: Purse, movement: Movement): Promise<void> {
  await enter(tx, batch, { ...movement, kind: 'hold' });
}

export async function post(tx: Tx, batch: Purse, movement: Movement): Promise<void> {
  const { amountMinor } = movement;
  await tx
    .updateTable('batches')
    .set((eb) => ({
      held_minor: eb('held_minor', '-', amountMinor),
      posted_minor: eb('posted_minor', '+', amountMinor),
      revision: eb('revision', '+', 1),
    }))
    .where('batch_id', '=', batch.batch_id)
    .execute();
  await moveBudgets(tx, levelsOfBatch(batch), { committed: -amountMinor, spent: amountMinor });
  await endHold(tx, movement, { batch, money: 'posted' });
  await enter(tx, batch, { ...movement, kind: 'post' });
}

export async function release(tx: Tx, batch: Purse, movement: Movement): Promise<void> {
  await tx
    .updateTable('batches')
    .set((eb) => ({ held_minor: eb('held_minor', '-', movement.amountMinor) }))
    .where('batch_id', '=', batch.batch_id)
    .execute();
  await endHold(tx, movement, { batch, money: 'released' });
  await enter(tx, batch, { ...movement, kind: 'release' });
}

/** Gives back to the budgets what was approved and neither held nor posted. */
export async function uncommit(tx: Tx, batch: BatchRecord, nowMs: number): Promise<void> {
  const amountMinor = batch.approved_minor - batch.held_minor - batch.posted_minor - batch.returned_minor;
  if (amountMinor === 0) return;
  await tx
    .updateTable('batches')
    .set((eb) => ({ returned_minor: eb('returned_minor', '+', amountMinor) }))
    .where('batch_id', '=', batch.batch_id)
    .execute();
  await moveBudgets(tx, levelsOfBatch(batch), { committed: -amountMinor });
  await enter(tx, batch, { kind: 'uncommit', amountMinor, nowMs });
}

export interface Refund extends Movement {
  readonly note: string;
}

export async function refund(tx: Tx, batch: Purse, movement: Refund): Promise<void> {
  const { amountMinor } = movement;
  await tx
    .updateTable('batches')
    .set((eb) => ({ refunded_minor: eb('refunded_minor', '+', amountMinor) }))
    .where('batch_id', '=', batch.batch_id)
    .execute();
  await moveBudgets(tx, levelsOfBatch(batch), { spent: -amountMinor });
  await enter(tx, batch, { ...movement, kind: 'refund' });
}

export interface Correction extends Movement {
  /** Of the amount, what goes beyond the post. */
  readonly overrunMinor: number;
  readonly note: string;
}

export async function correct(tx: Tx, batch: Purse, movement: Correction): Promise<void> {
  const { amountMinor, overrunMinor } = movement;
  await tx
    .updateTable('batches')
    .set((eb) => ({
      refunded_minor: eb('refunded_minor', '-', amountMinor - overrunMinor),
      overrun_minor: eb('overrun_minor', '+', overrunMinor),
    }))
    .where('batch_id', '=', batch.batch_id)
    .execute();
  await moveBudgets(tx, levelsOfBatch(batch), { spent: amountMinor - overrunMinor, overrun: overrunMinor });
  await enter(tx, batch, { ...movement, kind: 'correction' });
}

export function levelsOfBatch({ levels }: Pick<BatchRecord, 'levels'>): readonly string[] {
  return JSON.parse(levels) as string[]; // written by commit
}

interface CounterChange {
  readonly committed?: number;
  readonly spent?: number;
  readonly overrun?: number;
}

async function moveBudgets(tx: Tx, paths: readonly string[], change: CounterChange): Promise<void> {
  for (const path of paths) {
    await tx
      .updateTable('budgets')
      .set({
        committed_minor: sql<number>`committed_minor + ${change.committed ?? 0}`,
        spent_minor: sql<number>`spent_minor + ${change.spent ?? 0}`,
        overrun_minor: sql<number>`overrun_minor + ${change.overrun ?? 0}`,
      })
      .where('path', '=', path)
      .execute();
  }
}

async function endHold(
  tx: Tx,
  { rowKey, attempt }: Movement,
  { batch, money }: { readonly batch: Purse; readonly money: 'posted' | 'released' },
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('orders')
    .set({ money })
    .where('lineage_no', '=', batch.lineage_no)
    .where('row_key', '=', rowKey)
    .where('attempt', '=', attempt)
    .where('money', '=', 'held')
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n) {
    throw new LedgerError('corrupt_books', `Cannot end the hold of ${batch.batch_id} ${rowKey}: it ended before`);
  }
}

interface NewEntry {
  readonly kind: EntryKind;
  readonly rowKey?: string;
  readonly attempt?: number;
  readonly amountMinor: number;
  readonly overrunMinor?: number;
  readonly note?: string;
  readonly nowMs: number;
}

async function enter(tx: Tx, batch: Purse, entry: NewEntry): Promise<void> {
  const { kind, rowKey = null, attempt = null, amountMinor, overrunMinor = 0, note = null, nowMs } = entry;
  const record: Insertable<EntriesTable> = {
    ...{ at_ms: nowMs, kind, batch_id: batch.batch_id, row_key: rowKey, attempt },
    ...{ amount_minor: amountMinor, overrun_minor: overrunMinor, currency: batch.currency, note },
  };
  await tx.insertInto('entries').values(record).execute();
}
