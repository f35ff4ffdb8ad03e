import { CompiledQuery, type Insertable } from 'kysely';
import type { Tx } from './ledger.js';
import { onPostgres } from './postgres.js';
import type { Tables } from './tables.js';

/** PostgreSQL takes 65,535 parameters in a statement, SQLite 32,766. */
const parametersAtMost = 30_000;

/**
 * Inserts rows of one shape by as few statements as there can be. The text is written here, since building it as a
 * query of thousands of nodes takes longer than the database needs for the rows.
 */
export async function insertMany<Table extends keyof Tables & string>(
  tx: Tx,
  table: Table,
  rows: readonly Insertable<Tables[Table]>[],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first);
  const rowsAtMost = Math.floor(parametersAtMost / columns.length);
  const placeholder = onPostgres(tx) ? (index: number) => `$${index + 1}` : () => '?';
  for (let from = 0; from < rows.length; from += rowsAtMost) {
    const chunk = rows.slice(from, from + rowsAtMost);
    const parameters = chunk.flatMap((row) => columns.map((column) => (row as Record<string, unknown>)[column]));
    const tuples = chunk.map((_, row) => {
      const places = columns.map((_, column) => placeholder(row * columns.length + column));
      return `(${places.join(',')})`;
    });
    const text = `insert into ${table} (${columns.join(',')}) values ${tuples.join(',')}`;
    await tx.executeQuery(CompiledQuery.raw(text, parameters));
  }
}
