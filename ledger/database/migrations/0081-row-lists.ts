import { type Kysely, sql } from 'kysely';

/** Lists of rows in a state come from an index in the order of the sheet, lists of batches in that of time. */
export async function up(db: Kysely<any>): Promise<void> {
  await sql`drop index rows_state`.execute(db);
  await sql`create index rows_state on rows (batch_id, state, position) where state <> 'planned'`.execute(db);
  await sql`create index orders_batch on orders (batch_id)`.execute(db);
  await sql`create index batches_submitted on batches (submitted_ms, batch_id)`.execute(db);
}
