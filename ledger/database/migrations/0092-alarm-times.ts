import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** Since when a row says what keeps it from going on. */
export async function up(db: Kysely<any>): Promise<void> {
  const int = db.getExecutor().adapter instanceof PostgresAdapter ? 'bigint' : 'integer';
  await sql.raw(`alter table rows add column alarm_ms ${int}`).execute(db);
}
