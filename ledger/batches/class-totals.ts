import { type Kysely, sql } from 'kysely';
import type { RowClass } from '../../domain/row-class.js';
import type { Tables } from '../database/tables.js';
import type { Ledger } from '../ledger.js';
import type { ClassDetail } from './rows.js';

/** Rows of a batch that mean the same for its plan. */
export interface ClassSum {
  readonly class: RowClass;
  readonly ordered: boolean;
  /** What their class speaks of, the same for all of them. */
  readonly classDetail: ClassDetail | null;
  readonly rows: number;
  /** How many of them have a price by now. */
  readonly priced: number;
  /** Of the rows that have a price. */
  readonly amountMinor: number;
}

/** Sums the plan of a batch in the database: a hundred thousand rows are a handful of sums. */
export async function sumClasses(db: Kysely<Tables>, batchId: string): Promise<readonly ClassSum[]> {
  const sums = await db
    .selectFrom('rows')
    .select(['class', 'ordered', 'class_of'])
    .select(sql<number>`cast(count(*) as bigint)`.as('count'))
    .select(sql<number>`cast(count(amount_minor) as bigint)`.as('priced'))
    .select(sql<number>`cast(coalesce(sum(amount_minor), 0) as bigint)`.as('amount'))
    .where('batch_id', '=', batchId)
    .groupBy(['class', 'ordered', 'class_of'])
    .execute();
  return sums.map((sum) => ({
    class: sum.class,
    ordered: sum.ordered === 1,
    classDetail: sum.class_of === null ? null : (JSON.parse(sum.class_of) as ClassDetail), // written by createBatch
    rows: sum.count,
    priced: sum.priced,
    amountMinor: sum.amount,
  }));
}

/** Whether a cell of the sheet has text beyond ASCII. */
export async function hasNonAscii(ledger: Ledger, batchId: string): Promise<boolean> {
  const found = await ledger.db
    .selectFrom('rows')
    .select('position')
    .where('batch_id', '=', batchId)
    .where(sql<boolean>`length(cells) <> octet_length(cells)`)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
