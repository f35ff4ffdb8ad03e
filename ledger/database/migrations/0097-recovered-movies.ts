import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** What an archive has and a restored ledger does not know: its content is not ordered again unless it is asked for. */
export async function up(db: Kysely<any>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const int = postgres ? 'bigint' : 'integer';
  for (const statement of [
    `create table recovered_movies (
      service_no ${int} not null references services (service_no), movie_id text not null,
      content_digest text not null, batch_id text not null, row_key text not null, at_ms ${int} not null,
      primary key (service_no, movie_id)
    )${postgres ? '' : ' strict'}`,
    'create index recovered_contents on recovered_movies (content_digest, service_no)',
    'create index recovered_batches on recovered_movies (batch_id)',
  ]) {
    await sql.raw(statement).execute(db);
  }
}
