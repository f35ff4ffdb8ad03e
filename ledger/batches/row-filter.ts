import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { RowClass } from '../../domain/row-class.js';
import type { RowState } from '../../domain/row-state.js';
import { pastPlanned } from '../database/partial-indexes.js';
import type { Tables } from '../database/tables.js';

/** Which rows of a batch; each that is given narrows. */
export interface RowFilter {
  readonly states?: readonly RowState[];
  readonly classes?: readonly RowClass[];
  /** Only rows whose key begins so. */
  readonly keyPrefix?: string;
  /** Only rows that something keeps from going on. */
  readonly alarmed?: boolean;
  readonly verdicts?: readonly string[];
}

export interface RowPage extends RowFilter {
  readonly afterPosition?: number;
  readonly limit: number;
}

type PositionQuery = SelectQueryBuilder<Tables, 'rows', { position: number }>;

/** A prefix that so many keys have is looked for in the order of the sheet; fewer are sorted. */
const manyKeys = 1_000;

/**
 * The positions of a page, in the order of the sheet. Its cost follows the page, not the batch: each state is read from
 * the index in the order of positions, and what the states give is merged.
 */
export async function positionsOf(
  db: Kysely<Tables>,
  batchId: string,
  { afterPosition = -1, limit, ...filter }: RowPage,
): Promise<readonly number[]> {
  const { states, keyPrefix } = filter;
  if (keyPrefix && !states) {
    const few = await fewWithPrefix(db, batchId, keyPrefix);
    if (few?.length === 0) return [];
    if (few) {
      const found = await matching(db, batchId, filter).where('position', 'in', few).orderBy('position').execute();
      return positions(found)
        .filter((position) => position > afterPosition)
        .slice(0, limit);
    }
  }
  const page = (query: PositionQuery) =>
    query.where('position', '>', afterPosition).orderBy('position').limit(limit).execute();
  if (!states) return positions(await page(matching(db, batchId, filter)));
  const found: number[] = [];
  for (const state of new Set(states)) {
    found.push(...positions(await page(inState(matching(db, batchId, filter), state))));
  }
  return found.toSorted((a, b) => a - b).slice(0, limit);
}

function matching(db: Kysely<Tables>, batchId: string, filter: RowFilter): PositionQuery {
  const { classes, keyPrefix, alarmed, verdicts } = filter;
  let query = db.selectFrom('rows').select('position').where('batch_id', '=', batchId);
  if (alarmed) query = query.where('alarm', 'is not', null);
  if (classes) query = query.where('class', 'in', [...classes]);
  if (verdicts) query = query.where('verdict', 'in', [...verdicts]);
  if (keyPrefix) query = query.where(sql`substr(row_key, 1, ${keyPrefix.length})`, '=', keyPrefix);
  return query;
}

function inState(query: PositionQuery, state: RowState): PositionQuery {
  const some = query.where('state', '=', state);
  return state === 'planned' ? some : some.where(pastPlanned);
}

/** Null where there are too many. */
async function fewWithPrefix(db: Kysely<Tables>, batchId: string, prefix: string): Promise<readonly number[] | null> {
  const found = await db
    .selectFrom('rows')
    .select('position')
    .where('batch_id', '=', batchId)
    .where('row_key', '>=', prefix)
    .where('row_key', '<', `${prefix}\u{10ffff}`)
    .orderBy('row_key')
    .limit(manyKeys + 1)
    .execute();
  return found.length > manyKeys ? null : positions(found);
}

function positions(rows: readonly { readonly position: number }[]): number[] {
  return rows.map(({ position }) => position);
}
