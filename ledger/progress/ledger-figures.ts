import { type Kysely, sql } from 'kysely';
import { type BatchState, openBatchStates, type RowCounts } from '../../domain/batch-state.js';
import type { RowState } from '../../domain/row-state.js';
import { type BatchRecord, storedStops } from '../batches/batch-record.js';
import { countsOfMany } from '../batches/rows.js';
import { pastPlanned } from '../database/partial-indexes.js';
import type { Tables } from '../database/tables.js';
import type { Ledger } from '../ledger.js';

/** How the books stand, in figures for an alarm: what is under way, how long it waits, and the money of its budgets. */
export interface LedgerFigures {
  /** Of batches that are under way or unsettled. */
  readonly rows: readonly { campaign: string; batchId: string; state: RowState; count: number }[];
  readonly blocked: readonly { campaign: string; batchId: string; reason: string; count: number }[];
  /** Since when the row that is longest in such a state has been in it. */
  readonly oldest: readonly { state: RowState; sinceMs: number }[];
  /** When the running movie that waits longest for its look was due; null where none runs. */
  readonly nextLookMs: number | null;
  readonly alarmed: readonly { state: RowState; count: number }[];
  readonly batches: readonly { state: BatchState; count: number }[];
  /** Batches that a stop keeps from ordering. */
  readonly stops: readonly { kind: string; count: number }[];
  readonly services: readonly { name: string; inFlight: number; limit: number | null }[];
  readonly budgets: readonly BudgetFigures[];
  readonly held: readonly { currency: string; amountMinor: number }[];
  readonly halted: boolean;
  readonly auditLength: number;
}

export interface BudgetFigures {
  readonly path: string;
  readonly currency: string;
  readonly rehearsal: boolean;
  readonly limitMinor: number;
  readonly committedMinor: number;
  readonly spentMinor: number;
  readonly overrunMinor: number;
}

/** States in which a row waits for somebody or something. */
const waitingStates: readonly RowState[] = ['blocked', 'ordering', 'unknown', 'running', 'overdue', 'archiving'];
const liveStates: readonly BatchState[] = [...openBatchStates, 'unsettled'];

/** Reads what `LedgerFigures` says, in a few questions that only look at batches which are not over. */
export async function ledgerFigures({ db }: Ledger): Promise<LedgerFigures> {
  const batches = await liveBatches(db);
  const counts = await countsOfMany(
    db,
    batches.map(({ batchId }) => batchId),
  );
  const { halted, audit_length } = await db
    .selectFrom('ledger')
    .select(['halted', 'audit_length'])
    .executeTakeFirstOrThrow();
  return {
    rows: batches.flatMap((batch) => rowsOf(batch, counts.get(batch.batchId) ?? {})),
    ...(await waiting(db)),
    batches: await db
      .selectFrom('batches')
      .select((eb) => ['state', eb.fn.countAll<number>().as('count')])
      .groupBy('state')
      .execute(),
    stops: stopsOf(batches),
    ...(await money(db)),
    halted: halted !== null,
    auditLength: audit_length,
  };
}

interface LiveBatch extends Pick<BatchRecord, 'stops'> {
  readonly campaign: string;
  readonly batchId: string;
  readonly state: BatchState;
}

function liveBatches(db: Kysely<Tables>): Promise<readonly LiveBatch[]> {
  return db
    .selectFrom('batches')
    .innerJoin('lineages', 'lineages.lineage_no', 'batches.lineage_no')
    .select(['campaign', 'batch_id as batchId', 'state', 'stops'])
    .where('state', 'in', liveStates)
    .execute();
}

function rowsOf({ campaign, batchId }: LiveBatch, counts: RowCounts): LedgerFigures['rows'] {
  const states = Object.entries(counts) as [RowState, number][]; // keys of RowCounts
  return states.map(([state, count]) => ({ campaign, batchId, state, count }));
}

function stopsOf(batches: readonly LiveBatch[]): LedgerFigures['stops'] {
  const counts = new Map<string, number>();
  for (const batch of batches.filter(({ state }) => state === 'making')) {
    for (const kind of Object.keys(storedStops(batch))) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].map(([kind, count]) => ({ kind, count }));
}

async function waiting(
  db: Kysely<Tables>,
): Promise<Pick<LedgerFigures, 'blocked' | 'oldest' | 'nextLookMs' | 'alarmed'>> {
  const live = db
    .selectFrom('rows')
    .innerJoin('batches', 'batches.batch_id', 'rows.batch_id')
    .where('batches.state', 'in', liveStates);
  const blocked = await live
    .innerJoin('lineages', 'lineages.lineage_no', 'batches.lineage_no')
    .select((eb) => ['campaign', 'rows.batch_id as batchId', 'blocked_reason', eb.fn.countAll<number>().as('count')])
    .where('rows.state', '=', 'blocked')
    .where(pastPlanned)
    .groupBy(['campaign', 'rows.batch_id', 'blocked_reason'])
    .execute();
  const since = sql<number | null>`min(case rows.state when 'blocked' then blocked_ms when 'archiving' then finished_ms
    when 'running' then ordered_ms when 'overdue' then deadline_ms else first_sent_ms end)`;
  const oldest = await live
    .select(['rows.state', since.as('sinceMs')])
    .where('rows.state', 'in', waitingStates)
    .where(pastPlanned)
    .groupBy('rows.state')
    .execute();
  const look = await live
    .select((eb) => eb.fn.min('follow_ms').as('nextLookMs'))
    .where('rows.state', '=', 'running')
    .where('follow_ms', 'is not', null)
    .executeTakeFirst();
  const alarmed = await live
    .select((eb) => ['rows.state', eb.fn.countAll<number>().as('count')])
    .where('alarm', 'is not', null)
    .groupBy('rows.state')
    .execute();
  return {
    blocked: blocked.map(({ blocked_reason, ...row }) => ({ ...row, reason: blocked_reason ?? 'none' })),
    oldest: oldest.flatMap(({ state, sinceMs }) => (sinceMs === null ? [] : [{ state, sinceMs }])),
    nextLookMs: look?.nextLookMs ?? null,
    alarmed,
  };
}

async function money(db: Kysely<Tables>): Promise<Pick<LedgerFigures, 'services' | 'budgets' | 'held'>> {
  const services = await db
    .selectFrom('services')
    .select(['name', 'in_flight as inFlight', 'max_in_flight as limit'])
    .execute();
  const budgets = await db.selectFrom('budgets').selectAll().execute();
  const held = await db
    .selectFrom('batches')
    .select((eb) => ['currency', eb.fn.sum<number>('held_minor').as('amountMinor')])
    .where('state', 'in', liveStates)
    .groupBy('currency')
    .execute();
  return {
    services,
    budgets: budgets.map((budget) => ({
      ...{ path: budget.path, currency: budget.currency, rehearsal: budget.rehearsal === 1 },
      ...{ limitMinor: budget.limit_minor, committedMinor: budget.committed_minor },
      ...{ spentMinor: budget.spent_minor, overrunMinor: budget.overrun_minor },
    })),
    held,
  };
}
