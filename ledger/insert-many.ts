import { CompiledQuery } from 'kysely';
import type { Tx } from './ledger.js';
import { onPostgres } from './postgres.js';
import type { Tables } from './tables.js';

/** PostgreSQL takes 65,535 parameters in a statement, SQLite 32,766. */
const parametersAtMost = 30_000;

/** One column of many rows: its name, and its value for a row. */
export type ColumnOf<Row> = readonly [name: string, value: (row: Row, index: number) => string | number | null];

/**
 * Inserts rows of one shape by as few statements as there can be. The text is written here, since building it as a
 * query of thousands of nodes takes longer than the database needs for the rows.
 */
export async function insertMany<Row>(
  tx: Tx,
  table: keyof Tables & string,
  { rows, columns }: { readonly rows: readonly Row[]; readonly columns: readonly ColumnOf<Row>[] },
): Promise<void> {
  const rowsAtMost = Math.floor(parametersAtMost / columns.length);
  for (let from = 0; from < rows.length; from += rowsAtMost) {
    const until = Math.min(from + rowsAtMost, rows.length);
    const parameters: (string | number | null)[] = [];
    for (let index = from; index < until; index += 1) {
      const row = rows[index] as Row; // within its length
      for (const [, value] of columns) parameters.push(value(row, index));
    }
    const names = columns.map(([name]) => name).join(',');
    const text = `insert into ${table} (${names}) values ${tuples(until - from, columns.length, onPostgres(tx))}`;
    await tx.executeQuery(CompiledQuery.raw(text, parameters));
  }
}

function tuples(rows: number, columns: number, numbered: boolean): string {
  if (!numbered)
    return Array(rows)
      .fill(`(${Array(columns).fill('?').join(',')})`)
      .join(',');
  const places = Array.from({ length: rows * columns }, (_, index) => `$${index + 1}`);
  return Array.from({ length: rows }, (_, row) => `(${places.slice(row * columns, (row + 1) * columns)})`).join(',');
}
