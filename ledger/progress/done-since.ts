import { type Kysely, sql } from 'kysely';
import type { RowState } from '../../domain/row-state.js';
import type { EntryKind, Tables } from '../database/tables.js';
import type { Ledger } from '../ledger.js';

/** What came of all orders of the books since a moment. */
export interface DoneSince {
  /** Accepted by the service, and paid since. */
  readonly accepted: number;
  /** Proved to have created nothing: their money went back. */
  readonly givenBack: number;
  /** Rows by the state in which they ended. */
  readonly ended: Readonly<Partial<Record<RowState, number>>>;
}

/** Costs what was done since then, and not what the books have. */
export async function doneSince({ db }: Pick<Ledger, 'db'>, sinceMs: number): Promise<DoneSince> {
  const first = await firstEntrySince(db, sinceMs);
  const kinds = await db
    .selectFrom('entries')
    .select((eb) => ['kind', eb.fn.countAll<number>().as('count')])
    .where('entry_id', '>=', first)
    .where('at_ms', '>=', sinceMs)
    .where('kind', 'in', ['post', 'release'])
    .groupBy('kind')
    .execute();
  const ended = await db
    .selectFrom('rows')
    .select((eb) => ['state', eb.fn.countAll<number>().as('count')])
    .where('ended_ms', '>=', sinceMs)
    .where(sql<boolean>`ended_ms is not null`) // the condition of its index
    .groupBy('state')
    .execute();
  const of = (kind: EntryKind) => kinds.find((one) => one.kind === kind)?.count ?? 0;
  return {
    ...{ accepted: of('post'), givenBack: of('release') },
    ended: Object.fromEntries(ended.map(({ state, count }) => [state, count])),
  };
}

/** Workers write side by side, so that an entry may be some seconds older than one before it. */
const unorderedMs = 60_000;

/** Entries have their numbers in the order of their time: found by halves, since no index has the time. */
async function firstEntrySince(db: Kysely<Tables>, sinceMs: number): Promise<number> {
  const { last } = await db
    .selectFrom('entries')
    .select((eb) => eb.fn.coalesce(eb.fn.max('entry_id'), eb.val(0)).as('last'))
    .executeTakeFirstOrThrow();
  let [low, high] = [0, Number(last) + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const entry = await db
      .selectFrom('entries')
      .select('at_ms')
      .where('entry_id', '>=', middle)
      .orderBy('entry_id')
      .limit(1)
      .executeTakeFirst();
    if (entry && entry.at_ms < sinceMs - unorderedMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
