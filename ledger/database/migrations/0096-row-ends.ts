import { type Kysely, sql } from 'kysely';

/** What ended lately is counted without the rows of all batches. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`create index rows_ended on rows (ended_ms, state) where ended_ms is not null`.execute(db);
}
