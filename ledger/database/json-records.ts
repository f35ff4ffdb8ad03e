import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type ColumnKind, onPostgres, postgresTypes } from './postgres.js';
import type { Tables } from './tables.js';

/** The columns of a record and their kinds. */
export type RecordColumns<Row> = { readonly [Name in keyof Row & string]: ColumnKind };

/**
 * Many records as one value of a query that begins with it: `with own as materialized (…)`. A statement for each would
 * cost a journey to the server; and unless it is materialized, SQLite reads all of a batch for every record.
 */
export function withRecords<Row extends object>(
  db: Kysely<Tables>,
  records: readonly Row[],
  columns: RecordColumns<Row>,
): RawBuilder<unknown> {
  return withDocument(db, JSON.stringify(records), columns);
}

/** The same over the records' JSON text, which a query that is prepared once is given each time. */
export function withDocument(
  db: Kysely<Tables>,
  document: string,
  columns: Readonly<Record<string, ColumnKind>>,
): RawBuilder<unknown> {
  const kinds = Object.entries(columns);
  if (onPostgres(db)) {
    const own = kinds.map(([name, kind]) => sql`${sql.id(name)} ${sql.raw(postgresTypes[kind])}`);
    const table = sql`json_to_recordset(${document}::json) as record (${sql.join(own)})`;
    return sql`with own as materialized (select * from ${table})`;
  }
  const own = kinds.map(([name]) => sql`value ->> ${sql.lit(name)} as ${sql.id(name)}`);
  return sql`with own as materialized (select ${sql.join(own)} from json_each(${document}))`;
}

/**
 * That a column has the value of one of the records. PostgreSQL takes records for hundreds, and would read all of a batch
 * to join them: told so beside the join it looks up each by the index. SQLite does without, where records come first in a
 * `cross join`, whose order it keeps.
 *
 * Whatever else is asked of those rows stands so that no index has it (`state || ''`, `open + 0`): a batch that was still
 * waiting when PostgreSQL last looked at the table seems to have no such row, and all of them would be read.
 */
export function amongRecords(db: Kysely<Tables>, column: string, name: string): RawBuilder<boolean> {
  if (!onPostgres(db)) return sql`1 = 1`;
  return sql`${sql.ref(column)} = any(array(select ${sql.id('own', name)} from own))`;
}
