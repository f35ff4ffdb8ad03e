import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.js';
import type { BudgetKey } from './budget-levels.js';

/** What was committed and spent under a path by the entries, whether or not a level was defined there. */
export async function moneyUnder(
  db: Kysely<Tables>,
  { path, rehearsal }: BudgetKey,
): Promise<{ readonly committed: number; readonly spent: number; readonly overrun: number }> {
  const below = `${path}/`;
  const sumOf = (signs: string) => sql<number>`cast(coalesce(sum(${sql.raw(signs)}), 0) as bigint)`;
  return db
    .selectFrom('entries')
    .innerJoin('batches', 'batches.batch_id', 'entries.batch_id')
    .select([
      sumOf(`case kind when 'commit' then amount_minor when 'post' then -amount_minor when 'uncommit' then -amount_minor
        else 0 end`).as('committed'),
      sumOf(`case kind when 'post' then amount_minor when 'refund' then -amount_minor
        when 'correction' then amount_minor - entries.overrun_minor else 0 end`).as('spent'),
      sumOf('entries.overrun_minor').as('overrun'),
    ])
    .where('batches.rehearsal', '=', rehearsal ? 1 : 0)
    .where((eb) => eb.or([eb('budget_path', '=', path), eb(sql`substr(budget_path, 1, ${below.length})`, '=', below)]))
    .executeTakeFirstOrThrow();
}
