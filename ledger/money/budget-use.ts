import { type Kysely, sql } from 'kysely';
import type { RowState } from '../../domain/row-state.js';
import { inTheirCampaigns } from '../access/sight.js';
import type { Tables } from '../database/tables.js';
import type { Ledger } from '../ledger.js';
import type { BudgetKey } from './budget-levels.js';

/** What of a level's commitment is in orders that are not ended yet. */
export interface HeldUnder {
  readonly heldMinor: number;
  /** The part of it whose outcome nobody knows. */
  readonly unknownMinor: number;
  readonly unknownOrders: number;
}

export async function heldUnder({ db }: Pick<Ledger, 'db'>, budget: BudgetKey): Promise<HeldUnder> {
  const { held } = await batchesUnder(db, budget)
    .select(sql<number>`cast(coalesce(sum(batches.held_minor), 0) as bigint)`.as('held'))
    .executeTakeFirstOrThrow();
  const { amount, orders } = await batchesUnder(db, budget)
    .innerJoin('rows', 'rows.batch_id', 'batches.batch_id')
    .select(sql<number>`cast(coalesce(sum(rows.amount_minor), 0) as bigint)`.as('amount'))
    .select((eb) => eb.fn.countAll<number>().as('orders'))
    .where('rows.state', '=', 'unknown')
    .where('rows.state', '<>', 'planned') // the condition of the index on states
    .executeTakeFirstOrThrow();
  return { heldMinor: held, unknownMinor: amount, unknownOrders: orders };
}

/** What moved under a level on one day of UTC; the sums to date are what the level counts. */
export interface DayFlow {
  /** `2026-11-28`. */
  readonly day: string;
  /** Approved less what was given back. */
  readonly approvedMinor: number;
  /** Posted less refunds, with what invoices changed. */
  readonly spentMinor: number;
}

const dayMs = 24 * 60 * 60 * 1_000;

export async function flowByDay({ db }: Pick<Ledger, 'db'>, budget: BudgetKey): Promise<readonly DayFlow[]> {
  const minor = 'entries.amount_minor';
  const sumOf = (cases: string) => sql<number>`cast(sum(case kind ${sql.raw(cases)} else 0 end) as bigint)`;
  const days = await batchesUnder(db, budget)
    .innerJoin('entries', 'entries.batch_id', 'batches.batch_id')
    .select(sql<number>`entries.at_ms / ${sql.lit(dayMs)}`.as('day'))
    .select(sumOf(`when 'commit' then ${minor} when 'uncommit' then -${minor}`).as('approved'))
    .select(sumOf(`when 'post' then ${minor} when 'refund' then -${minor} when 'correction' then ${minor}`).as('spent'))
    .where('kind', 'in', ['commit', 'uncommit', 'post', 'refund', 'correction'])
    .groupBy('day')
    .orderBy('day')
    .execute();
  return days.map(({ day, approved, spent }) => ({
    ...{ day: new Date(day * dayMs).toISOString().slice(0, 10), approvedMinor: approved, spentMinor: spent },
  }));
}

/** What was posted for movies, by what became of them. */
export interface Outcome {
  readonly state: RowState;
  readonly movies: number;
  readonly postedMinor: number;
}

export async function outcomesUnder({ db }: Pick<Ledger, 'db'>, budget: BudgetKey): Promise<readonly Outcome[]> {
  return batchesUnder(db, budget)
    .innerJoin('orders', 'orders.batch_id', 'batches.batch_id')
    .innerJoin('rows', (join) =>
      join.onRef('rows.batch_id', '=', 'orders.batch_id').onRef('rows.row_key', '=', 'orders.row_key'),
    )
    .select((eb) => ['rows.state', eb.fn.countAll<number>().as('movies')])
    .select(sql<number>`cast(sum(orders.amount_minor) as bigint)`.as('postedMinor'))
    .where('orders.money', '=', 'posted')
    .groupBy('rows.state')
    .orderBy('rows.state')
    .execute();
}

/** Orders whose hold has not ended, of one age and one state. */
export interface HeldOfAge {
  /** The youngest of them is at least so old. */
  readonly fromMs: number;
  readonly state: 'ordering' | 'unknown';
  readonly orders: number;
  readonly amountMinor: number;
  /** The oldest of them. */
  readonly oldest: { readonly batchId: string; readonly rowKey: string; readonly sinceMs: number };
}

const minuteMs = 60_000;
const ages = [0, minuteMs, 10 * minuteMs, 60 * minuteMs, dayMs, 7 * dayMs];
const mostHolds = 1_000;

/** Holds that wait for an answer or a person, the oldest first; of very many the oldest ones. */
export async function holdsByAge(
  { db }: Pick<Ledger, 'db'>,
  { nowMs, ...budget }: BudgetKey & { readonly nowMs: number },
): Promise<readonly HeldOfAge[]> {
  const holds = await batchesUnder(db, budget)
    .innerJoin('rows', 'rows.batch_id', 'batches.batch_id')
    .innerJoin('entries', (join) =>
      join
        .onRef('entries.batch_id', '=', 'rows.batch_id')
        .onRef('entries.row_key', '=', 'rows.row_key')
        .onRef('entries.attempt', '=', 'rows.attempt')
        .on('entries.kind', '=', 'hold'),
    )
    .select(['rows.state', 'rows.batch_id', 'rows.row_key', 'entries.at_ms', 'entries.amount_minor'])
    .where('rows.state', 'in', ['ordering', 'unknown'])
    .where('rows.state', '<>', 'planned') // the condition of the index on states
    .orderBy('entries.at_ms')
    .limit(mostHolds)
    .execute();
  const groups = new Map<string, HeldOfAge>();
  for (const { state, batch_id, row_key, at_ms, amount_minor } of holds) {
    const fromMs = ages.findLast((age) => age <= Math.max(0, nowMs - at_ms)) ?? 0;
    const key = `${fromMs} ${state}`;
    const before = groups.get(key);
    groups.set(key, {
      ...{ fromMs, state: state === 'unknown' ? state : 'ordering' },
      ...{ orders: (before?.orders ?? 0) + 1, amountMinor: (before?.amountMinor ?? 0) + amount_minor },
      oldest: before?.oldest ?? { batchId: batch_id, rowKey: row_key, sinceMs: at_ms },
    });
  }
  return [...groups.values()];
}

/** Plans under a level that wait for a decision, the dearest first. */
export async function plansUnder(
  { db }: Pick<Ledger, 'db'>,
  budget: BudgetKey,
): Promise<readonly { readonly batchId: string; readonly totalMinor: number }[]> {
  const plans = await batchesUnder(db, budget)
    .select(['batches.batch_id as batchId', 'batches.total_minor'])
    .where('batches.state', '=', 'waiting')
    .orderBy('batches.total_minor', 'desc')
    .limit(100)
    .execute();
  return plans.map(({ batchId, total_minor }) => ({ batchId, totalMinor: total_minor ?? 0 }));
}

/** What a batch was to cost, and what it came to. */
export interface BatchCost {
  readonly batchId: string;
  readonly estimateMinor: number;
  /** Less refunds, before what invoices changed. */
  readonly postedMinor: number;
  /** With what invoices changed; null until the last of its movies is invoiced. */
  readonly invoicedMinor: number | null;
}

const mostCosts = 12;

/**
 * What batches under a level cost of which something was posted, the newest first.
 *
 * @param inCampaignsOf of this person's campaigns alone; null for all
 */
export async function costsUnder(
  { db }: Pick<Ledger, 'db'>,
  { inCampaignsOf, ...budget }: BudgetKey & { readonly inCampaignsOf: string | null },
): Promise<readonly BatchCost[]> {
  const batches = await batchesUnder(db, budget)
    .select(['batch_id', 'total_minor', 'posted_minor', 'refunded_minor', 'overrun_minor'])
    .where('posted_minor', '>', 0)
    .where((eb) => (inCampaignsOf === null ? eb.lit(true) : inTheirCampaigns(eb, inCampaignsOf)))
    .orderBy('submitted_ms', 'desc')
    .orderBy('batch_id')
    .limit(mostCosts)
    .execute();
  if (batches.length === 0) return [];
  const ids = batches.map(({ batch_id }) => batch_id);
  const changes = await db
    .selectFrom('entries')
    .select(['batch_id', sql<number>`cast(sum(amount_minor) as bigint)`.as('amount')])
    .where('batch_id', 'in', ids)
    .where('kind', '=', 'correction')
    .groupBy('batch_id')
    .execute();
  const complete = await db
    .selectFrom('audit')
    .select('object')
    .where('act', '=', 'invoiced')
    .where('object', 'in', ids)
    .execute();
  return batches.map(({ batch_id: batchId, total_minor, posted_minor, refunded_minor, overrun_minor }) => {
    // What an invoice lowers is counted among the refunds of a batch, and what it raises beyond the post as overrun.
    const spentMinor = posted_minor - refunded_minor + overrun_minor;
    const changed = changes.find(({ batch_id }) => batch_id === batchId)?.amount ?? 0;
    const isInvoiced = complete.some(({ object }) => object === batchId);
    return {
      ...{ batchId, estimateMinor: total_minor ?? 0, postedMinor: spentMinor - changed },
      invoicedMinor: isInvoiced ? spentMinor : null,
    };
  });
}

/** Which of these batches belong to campaigns in which the person submitted. */
export async function ownAmong(
  { db }: Pick<Ledger, 'db'>,
  { batchIds, name }: { readonly batchIds: readonly string[]; readonly name: string },
): Promise<ReadonlySet<string>> {
  if (batchIds.length === 0) return new Set();
  const own = await db
    .selectFrom('batches')
    .select('batch_id')
    .where('batch_id', 'in', batchIds)
    .where((eb) => inTheirCampaigns(eb, name))
    .execute();
  return new Set(own.map(({ batch_id }) => batch_id));
}

function batchesUnder(db: Kysely<Tables>, { path, rehearsal }: BudgetKey) {
  const below = `${path}/`;
  return db
    .selectFrom('batches')
    .where('batches.rehearsal', '=', rehearsal ? 1 : 0)
    .where((eb) =>
      eb.or([
        eb('batches.budget_path', '=', path),
        eb(sql`substr(batches.budget_path, 1, ${below.length})`, '=', below),
      ]),
    );
}
