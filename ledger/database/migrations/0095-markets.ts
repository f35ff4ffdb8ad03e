import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** The market that a sheet names for a row, by which reviewers choose what they look at. */
export async function up(db: Kysely<any>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text';
  await sql.raw(`alter table rows add column market ${text}`).execute(db);
  await sql`create index rows_market on rows (batch_id, market, position) where market is not null`.execute(db);
}
