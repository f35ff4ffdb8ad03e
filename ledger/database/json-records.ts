import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../ledger.js';
import { type ColumnKind, onPostgres, postgresTypes } from './postgres.js';

/** The columns of a record and their kinds. */
export type RecordColumns<Row> = { readonly [Name in keyof Row & string]: ColumnKind };

/**
 * Many records as one value of a query that begins with it: `with own as materialized (…)`. A statement for each would
 * cost a journey to the server; and unless it is materialized, SQLite reads all of a batch for every record.
 */
export function withRecords<Row extends object>(
  tx: Tx,
  records: readonly Row[],
  columns: RecordColumns<Row>,
): RawBuilder<unknown> {
  const document = JSON.stringify(records);
  const kinds = Object.entries<ColumnKind>(columns);
  if (onPostgres(tx)) {
    const own = kinds.map(([name, kind]) => sql`${sql.id(name)} ${sql.raw(postgresTypes[kind])}`);
    const table = sql`json_to_recordset(${document}::json) as record (${sql.join(own)})`;
    return sql`with own as materialized (select * from ${table})`;
  }
  const own = kinds.map(([name]) => sql`value ->> ${sql.lit(name)} as ${sql.id(name)}`);
  return sql`with own as materialized (select ${sql.join(own)} from json_each(${document}))`;
}
