import { type Kysely, type Selectable, sql } from 'kysely';
import { levelsOf } from '../../domain/budget-room.js';
import { atOneMoment } from '../database/snapshot.js';
import type { BudgetsTable, EntryKind, Tables } from '../database/tables.js';
import type { Ledger } from '../ledger.js';

/** A counter that is not what its entries say. */
export interface CounterDifference {
  /** `batch spring-1` or `budget acme`. */
  readonly of: string;
  readonly counter: string;
  readonly counted: number;
  readonly byEntries: number;
}

/**
 * Builds every counter again from the entries and the rows, all as they were at one moment: workers may be at work. A
 * difference is an incident for people to look into; nothing is changed.
 */
export async function auditCounters(ledger: Ledger): Promise<readonly CounterDifference[]> {
  return atOneMoment(ledger, compareCounters);
}

async function compareCounters(db: Kysely<Tables>): Promise<readonly CounterDifference[]> {
  const sums = await sumsByBatch(db);
  const batches = await db.selectFrom('batches').selectAll().orderBy('batch_id').execute();
  const flights = await inFlightByBatch(db);
  const differences: CounterDifference[] = [];
  const compare = (of: string, counters: Readonly<Record<string, readonly [counted: number, byEntries: number]>>) => {
    for (const [counter, [counted, byEntries]] of Object.entries(counters)) {
      if (counted !== byEntries) differences.push({ of, counter, counted, byEntries });
    }
  };
  const levels = new Map<string, { committed: number; spent: number; overrun: number }>();
  const services = new Map<number, number>();
  for (const batch of batches) {
    const { commit, hold, post, release, uncommit, refund, correction, overrun } = sumsOf(sums, batch.batch_id);
    const flight = flights.get(batch.batch_id) ?? 0;
    compare(`batch ${batch.batch_id}`, {
      approved: [batch.approved_minor, commit],
      held: [batch.held_minor, hold - post - release],
      posted: [batch.posted_minor, post],
      refunded: [batch.refunded_minor, refund - (correction - overrun)],
      returned: [batch.returned_minor, uncommit],
      overrun: [batch.overrun_minor, overrun],
      in_flight: [batch.in_flight, flight],
    });
    services.set(batch.service_no, (services.get(batch.service_no) ?? 0) + flight);
    for (const path of levelsOf(batch.budget_path)) {
      const name = budgetName({ path, rehearsal: batch.rehearsal });
      const level = levels.get(name) ?? { committed: 0, spent: 0, overrun: 0 };
      level.committed += commit - post - uncommit;
      level.spent += post - refund + correction - overrun;
      level.overrun += overrun;
      levels.set(name, level);
    }
  }
  for (const budget of await db.selectFrom('budgets').selectAll().orderBy('path').execute()) {
    const name = budgetName(budget);
    const { committed, spent, overrun } = levels.get(name) ?? { committed: 0, spent: 0, overrun: 0 };
    compare(name, {
      committed: [budget.committed_minor, committed],
      spent: [budget.spent_minor, spent],
      overrun: [budget.overrun_minor, overrun],
    });
  }
  for (const { service_no, name, in_flight } of await db.selectFrom('services').selectAll().execute()) {
    compare(`service ${name}`, { in_flight: [in_flight, services.get(service_no) ?? 0] });
  }
  return differences;
}

/** `budget acme`, `rehearsal budget acme`. */
export function budgetName({ path, rehearsal }: Pick<Selectable<BudgetsTable>, 'path' | 'rehearsal'>): string {
  return `${rehearsal === 1 ? 'rehearsal budget' : 'budget'} ${path}`;
}

type Sums = Record<EntryKind | 'overrun', number>;

async function sumsByBatch(db: Kysely<Tables>): Promise<ReadonlyMap<string, Partial<Sums>>> {
  const rows = await db
    .selectFrom('entries')
    .select(['batch_id', 'kind'])
    .select(sql<number>`cast(sum(amount_minor) as bigint)`.as('amount'))
    .select(sql<number>`cast(sum(overrun_minor) as bigint)`.as('overrun'))
    .groupBy(['batch_id', 'kind'])
    .execute();
  const sums = new Map<string, Partial<Sums>>();
  for (const { batch_id, kind, amount, overrun } of rows) {
    const batch = sums.get(batch_id) ?? {};
    sums.set(batch_id, { ...batch, [kind]: amount, overrun: (batch.overrun ?? 0) + overrun });
  }
  return sums;
}

function sumsOf(sums: ReadonlyMap<string, Partial<Sums>>, batchId: string): Sums {
  const none = { commit: 0, hold: 0, post: 0, release: 0, uncommit: 0, refund: 0, correction: 0, overrun: 0 };
  return { ...none, ...sums.get(batchId) };
}

async function inFlightByBatch(db: Kysely<Tables>): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('rows')
    .select((eb) => ['batch_id', eb.fn.countAll<number>().as('count')])
    .where('state', 'in', ['ordering', 'running'])
    .groupBy('batch_id')
    .execute();
  return new Map(rows.map(({ batch_id, count }) => [batch_id, count]));
}
