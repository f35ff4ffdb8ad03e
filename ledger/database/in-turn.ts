import { type Kysely, type RawBuilder, sql } from 'kysely';
import { onPostgres } from './postgres.js';
import type { Tables } from './tables.js';

/**
 * A condition that is always true, of a query that takes the lock of one record: whoever asks for it is served in the
 * order of asking. Without it PostgreSQL gives the lock of a record that becomes free to whoever happens to come at that
 * moment, and who waits for it longest may go on waiting. SQLite has one writer.
 *
 * @param column what the record is found by
 */
export function inTurn(db: Kysely<Tables>, kind: 'batch' | 'service', column: string): RawBuilder<boolean> {
  if (!onPostgres(db)) return sql`1 = 1`;
  const record = sql`hashtext(${sql.ref(column)}::text)`;
  return sql`pg_advisory_xact_lock(hashtext(${sql.lit(`greenlight ${kind}`)}), ${record}) is not null`;
}
