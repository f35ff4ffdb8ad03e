import { type Kysely, sql } from 'kysely';
import type { Brief } from '../../domain/brief.js';
import type { Tables } from '../database/tables.js';

/** The sealed plan of the campaign before another one. */
export interface PlanBefore {
  readonly batchId: string;
  /** Null where nobody decided on it. */
  readonly decision: 'approved' | 'refused' | null;
}

export interface ChangedRow {
  readonly rowKey: string;
  readonly before: Brief;
  readonly after: Brief;
}

export interface DearerRow {
  readonly rowKey: string;
  readonly beforeMinor: number;
  readonly afterMinor: number;
}

/** What a plan has that the one before it had not, and the reverse. Rows are the same by their key. */
export interface PlanDifference {
  readonly before: PlanBefore;
  readonly added: number;
  /** Of another content, whatever their price. */
  readonly changed: number;
  /** Of the same content and another price, where both plans order them. */
  readonly repriced: number;
  /** What the repriced rows cost more, or less, all together. */
  readonly repricedMinor: number;
  readonly removed: number;
  /** The first ones of each, in the order of their sheets. */
  readonly first: {
    readonly added: readonly { readonly rowKey: string; readonly amountMinor: number | null }[];
    readonly changed: readonly ChangedRow[];
    readonly repriced: readonly DearerRow[];
    readonly removed: readonly { readonly rowKey: string; readonly amountMinor: number | null }[];
  };
}

/** Null where the campaign has no sealed plan before this one. */
export async function planDifference(
  db: Kysely<Tables>,
  { batchId, listed }: { readonly batchId: string; readonly listed: number },
): Promise<PlanDifference | null> {
  const before = await planBefore(db, batchId);
  if (before === null) return null;
  const both = joined(db, { batchId, beforeId: before.batchId });
  const one = (condition: ReturnType<typeof sql<boolean>>) => sql<number>`count(case when ${condition} then 1 end)`;
  const sums = await both
    .select(one(isAdded).as('added'))
    .select(one(isChanged).as('changed'))
    .select(one(isRepriced).as('repriced'))
    .select(
      sql<number>`cast(coalesce(sum(case when ${isRepriced} then r.amount_minor - p.amount_minor end), 0) as bigint)`.as(
        'more',
      ),
    )
    .executeTakeFirstOrThrow();
  const gone = joined(db, { batchId: before.batchId, beforeId: batchId }).where(isAdded);
  const { removed } = await gone.select((eb) => eb.fn.countAll<number>().as('removed')).executeTakeFirstOrThrow();
  return {
    ...{ before, added: Number(sums.added), changed: Number(sums.changed), repriced: Number(sums.repriced) },
    ...{ repricedMinor: Number(sums.more), removed: Number(removed) },
    first: {
      added: await keysOf(both.where(isAdded), listed),
      removed: await keysOf(gone, listed),
      changed: await changedRows(both, listed),
      repriced: await repricedRows(both, listed),
    },
  };
}

async function planBefore(db: Kysely<Tables>, batchId: string): Promise<PlanBefore | null> {
  const found = await db
    .selectFrom('batches as asked')
    .innerJoin('batches as earlier', 'earlier.lineage_no', 'asked.lineage_no')
    .leftJoin('decisions', 'decisions.batch_id', 'earlier.batch_id')
    .select(['earlier.batch_id', 'decisions.kind'])
    .where('asked.batch_id', '=', batchId)
    .whereRef('earlier.number', '<', 'asked.number')
    .where('earlier.plan_digest', 'is not', null)
    .orderBy('earlier.number', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!found) return null;
  const decision = found.kind === null ? null : found.kind === 'approved' ? 'approved' : 'refused';
  return { batchId: found.batch_id, decision };
}

const isAdded = sql<boolean>`p.row_key is null`;
const isChanged = sql<boolean>`p.content_digest <> r.content_digest`;
const isRepriced = sql<boolean>`p.content_digest = r.content_digest and p.amount_minor <> r.amount_minor`;

/** The rows `r` of one plan, each beside the row `p` of the other that has its key. */
function joined(db: Kysely<Tables>, { batchId, beforeId }: { readonly batchId: string; readonly beforeId: string }) {
  return db
    .selectFrom('rows as r')
    .leftJoin('rows as p', (join) => join.onRef('p.row_key', '=', 'r.row_key').on('p.batch_id', '=', beforeId))
    .where('r.batch_id', '=', batchId);
}
type Joined = ReturnType<typeof joined>;

async function keysOf(rows: Joined, limit: number) {
  return rows
    .select(['r.row_key as rowKey', 'r.amount_minor as amountMinor'])
    .orderBy('r.position')
    .limit(limit)
    .execute();
}

async function changedRows(both: Joined, limit: number): Promise<readonly ChangedRow[]> {
  const rows = await both
    .where(isChanged)
    .select(['r.row_key', 'r.brief as after'])
    .select(sql<string>`p.brief`.as('before')) // there where the digests differ
    .orderBy('r.position')
    .limit(limit)
    .execute();
  // Both are written by createBatch.
  const read = (text: string) => JSON.parse(text) as Brief;
  return rows.map(({ row_key, before, after }) => ({ rowKey: row_key, before: read(before), after: read(after) }));
}

async function repricedRows(both: Joined, limit: number): Promise<readonly DearerRow[]> {
  return both
    .where(isRepriced)
    .select('r.row_key as rowKey')
    .select([sql<number>`p.amount_minor`.as('beforeMinor'), sql<number>`r.amount_minor`.as('afterMinor')])
    .orderBy(sql`abs(r.amount_minor - p.amount_minor)`, 'desc')
    .orderBy('r.position')
    .limit(limit)
    .execute();
}
