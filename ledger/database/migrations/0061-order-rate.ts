import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** When the next order may leave to a service where its orders keep to a rate, in microseconds since 1970. */
export async function up(db: Kysely<any>): Promise<void> {
  const int = db.getExecutor().adapter instanceof PostgresAdapter ? 'bigint' : 'integer';
  await sql.raw(`alter table services add column next_order_us ${int} not null default 0`).execute(db);
}
