import { sql } from 'kysely';
import type { Ledger } from '../ledger.js';

/** A market is a word or two; of more, this much is enough to choose by. */
const mostCharacters = 60;

/**
 * What a sheet says of a row's market, if it has such a column.
 *
 * @returns null for a sheet without one.
 */
export function marketIn(
  columns: readonly string[],
): ((row: { readonly cells: readonly string[] }) => string | null) | null {
  const at = columns.findIndex((column) => column.trim().toLowerCase() === 'market');
  if (at === -1) return null;
  return ({ cells }) => {
    // What no database takes as text, and no reader sees: control characters, halves of a character.
    const words = (cells[at] ?? '').replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ').trim();
    return (
      [...words.slice(0, 2 * mostCharacters)]
        .slice(0, mostCharacters)
        .join('')
        .replace(/\p{Cs}$/u, '')
        .trim() || null
    );
  };
}

/** Markets of a batch's rows in alphabetical order, as many as are asked for; each is one look into an index. */
export async function marketsOf(
  { db }: Pick<Ledger, 'db'>,
  batchId: string,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ market: string }>`
    with recursive found (market) as (
      select min(rows.market) from rows where rows.batch_id = ${batchId} and rows.market is not null
      union all
      select (select min(rows.market) from rows where rows.batch_id = ${batchId} and rows.market > found.market)
      from found where found.market is not null
    )
    select market from found where market is not null limit ${limit}`.execute(db);
  return rows.map(({ market }) => market);
}
