import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** How long movies really take, by batch, and when each running movie was seen running. */
export async function up(db: Kysely<any>): Promise<void> {
  const [int, end] = db.getExecutor().adapter instanceof PostgresAdapter ? ['bigint', ''] : ['integer', ' strict'];
  for (const statement of [
    `alter table rows add column looked_ms ${int}`,
    `create table run_times (batch_id text not null primary key, service_no ${int} not null, ends text not null,
      at_ms ${int} not null)${end}`,
    'create index run_times_service on run_times (service_no, at_ms)',
  ]) {
    await sql.raw(statement).execute(db);
  }
}
