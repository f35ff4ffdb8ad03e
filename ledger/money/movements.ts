import { sql } from 'kysely';
import { levelsOf } from '../../domain/budget-room.js';
import type { BatchRecord } from '../batches/batch-record.js';
import { inOneJourney } from '../database/one-journey.js';
import { prepared } from '../database/prepared-query.js';
import type { EntryKind } from '../database/tables.js';
import { LedgerError, type Tx } from '../ledger.js';
import { endHolds } from './end-holds.js';
import { appendEntries, type ChainEnd, entriesEnd, type NewEntry } from './entry-chain.js';

/** As much of a batch as its money needs. */
export type BatchFunds = Pick<BatchRecord, 'batch_id' | 'lineage_no' | 'budget_path' | 'rehearsal' | 'currency'>;

/** The order whose money moves. */
export interface Movement {
  readonly rowKey: string;
  readonly attempt: number;
  readonly amountMinor: number;
  readonly nowMs: number;
}

/*
 * How money moves. Each movement is one entry and the counters that follow from it, in the caller's transaction, under
 * the batch's lock; the order of all locks is told in docs/money.md.
 *
 *   commit    budgets: committed + · batch: approved +            at the approval
 *   hold      batch: held +                                       at the admission
 *   post      budgets: committed − spent + · batch: held − posted +   when the service accepts
 *   release   batch: held −                                       when it certainly created nothing
 *   uncommit  budgets: committed − · batch: returned +            when the batch settles
 *   refund    budgets: spent − · batch: refunded +                what the service is taken not to charge
 *   correction  budgets: spent ±, overrun + · batch: overrun +    what an invoice says
 */

export async function recordCommit(
  tx: Tx,
  batch: BatchRecord,
  { amountMinor, nowMs }: { readonly amountMinor: number; readonly nowMs: number },
): Promise<void> {
  await move(tx, batch, { batch: { approved: amountMinor }, budgets: { committed: amountMinor } });
  await enter(tx, batch, { kind: 'commit', amountMinor, nowMs });
}

interface Holds {
  readonly movements: readonly Movement[];
  /** Of the batch's entries, read under its lock in this transaction. */
  readonly chain: ChainEnd;
}

/** The entries alone: the admission has taken the amounts out of the batch already, in the condition that allows it. */
export async function recordHolds(tx: Tx, batch: BatchFunds, holds: Holds): Promise<void> {
  await enterAll(tx, batch, { kind: 'hold', ...holds });
}

export async function post(tx: Tx, batch: BatchFunds, movements: readonly Movement[]): Promise<void> {
  const amountMinor = totalOf(movements);
  const counters = {
    batch: { held: -amountMinor, posted: amountMinor },
    budgets: { committed: -amountMinor, spent: amountMinor },
  };
  const [, , chain] = await inOneJourney([
    move(tx, batch, counters),
    end(tx, batch, { movements, money: 'posted' }),
    entriesEnd(tx, batch.batch_id),
  ]);
  await enterAll(tx, batch, { kind: 'post', movements, chain });
}

export async function release(tx: Tx, batch: BatchFunds, movements: readonly Movement[]): Promise<void> {
  const [, , chain] = await inOneJourney([
    move(tx, batch, { batch: { held: -totalOf(movements) } }),
    end(tx, batch, { movements, money: 'released' }),
    entriesEnd(tx, batch.batch_id),
  ]);
  await enterAll(tx, batch, { kind: 'release', movements, chain });
}

function totalOf(movements: readonly Movement[]): number {
  return movements.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/** Gives back to the budgets what was approved and neither held nor posted. */
export async function uncommit(tx: Tx, batch: BatchRecord, nowMs: number): Promise<void> {
  const amountMinor = batch.approved_minor - batch.held_minor - batch.posted_minor - batch.returned_minor;
  if (amountMinor === 0) return;
  await move(tx, batch, { batch: { returned: amountMinor }, budgets: { committed: -amountMinor } });
  await enter(tx, batch, { kind: 'uncommit', amountMinor, nowMs });
}

export interface Refund extends Movement {
  readonly note: string;
}

export async function refund(tx: Tx, batch: BatchFunds, movement: Refund): Promise<void> {
  const { amountMinor } = movement;
  await move(tx, batch, { batch: { refunded: amountMinor }, budgets: { spent: -amountMinor } });
  await enter(tx, batch, { ...movement, kind: 'refund' });
}

export interface Correction extends Movement {
  /** Of the amount, what goes beyond the post. */
  readonly overrunMinor: number;
  readonly note: string;
}

export async function correct(tx: Tx, batch: BatchFunds, movement: Correction): Promise<void> {
  const { amountMinor, overrunMinor: overrun } = movement;
  const spent = amountMinor - overrun;
  await move(tx, batch, { batch: { refunded: -spent, overrun }, budgets: { spent, overrun } });
  await enter(tx, batch, { ...movement, kind: 'correction' });
}

type BatchCounters = Readonly<Record<'approved' | 'held' | 'posted' | 'refunded' | 'returned' | 'overrun', number>>;
type BudgetCounters = Readonly<Record<'committed' | 'spent' | 'overrun', number>>;

const moveBatch = prepared((db, change: BatchCounters & { readonly batchId: string }) =>
  db
    .updateTable('batches')
    .set({
      approved_minor: sql`approved_minor + ${change.approved}`,
      held_minor: sql`held_minor + ${change.held}`,
      posted_minor: sql`posted_minor + ${change.posted}`,
      refunded_minor: sql`refunded_minor + ${change.refunded}`,
      returned_minor: sql`returned_minor + ${change.returned}`,
      overrun_minor: sql`overrun_minor + ${change.overrun}`,
    })
    .where('batch_id', '=', change.batchId),
);

const moveBudget = prepared((db, change: BudgetCounters & { readonly path: string; readonly rehearsal: number }) =>
  db
    .updateTable('budgets')
    .set({
      committed_minor: sql`committed_minor + ${change.committed}`,
      spent_minor: sql`spent_minor + ${change.spent}`,
      overrun_minor: sql`overrun_minor + ${change.overrun}`,
    })
    .where('rehearsal', '=', change.rehearsal)
    .where('path', '=', change.path),
);

const still = { approved: 0, held: 0, posted: 0, refunded: 0, returned: 0, overrun: 0, committed: 0, spent: 0 };

/** Adds to the counters of a batch, and to those of every level that is defined on its path by now. */
async function move(
  tx: Tx,
  batch: BatchFunds,
  change: { readonly batch: Partial<BatchCounters>; readonly budgets?: Partial<BudgetCounters> },
): Promise<void> {
  const { rehearsal } = batch;
  const levels = change.budgets ? levelsOf(batch.budget_path) : [];
  await inOneJourney([
    moveBatch(tx, { ...still, ...change.batch, batchId: batch.batch_id }),
    ...levels.map((path) => moveBudget(tx, { ...still, ...change.budgets, path, rehearsal })),
  ]);
}

async function end(
  tx: Tx,
  batch: BatchFunds,
  { movements, money }: { readonly movements: readonly Movement[]; readonly money: 'posted' | 'released' },
): Promise<void> {
  const ended = await endHolds(tx, { lineageNo: batch.lineage_no, orders: movements, money });
  const left = movements.find(({ rowKey }) => !ended.has(rowKey));
  if (!left) return;
  throw new LedgerError('corrupt_books', `Cannot end the hold of ${batch.batch_id} ${left.rowKey}: it ended before`);
}

interface EntryOf {
  readonly kind: EntryKind;
  readonly rowKey?: string;
  readonly attempt?: number;
  readonly amountMinor: number;
  readonly overrunMinor?: number;
  readonly note?: string;
  readonly nowMs: number;
}

async function enter(tx: Tx, { batch_id: batchId, currency }: BatchFunds, entry: EntryOf): Promise<void> {
  await appendEntries(tx, batchId, [newEntry(currency, entry)], await entriesEnd(tx, batchId));
}

async function enterAll(
  tx: Tx,
  { batch_id: batchId, currency }: BatchFunds,
  { kind, movements, chain }: Holds & { readonly kind: EntryKind },
): Promise<void> {
  const entries = movements.map(({ rowKey, attempt, amountMinor, nowMs }) =>
    newEntry(currency, { kind, rowKey, attempt, amountMinor, nowMs }),
  );
  await appendEntries(tx, batchId, entries, chain);
}

function newEntry(currency: string, entry: EntryOf): NewEntry {
  const { kind, rowKey = null, attempt = null, amountMinor, overrunMinor = 0, note = null, nowMs } = entry;
  return { kind, rowKey, attempt, amountMinor, overrunMinor, currency, note, nowMs };
}
