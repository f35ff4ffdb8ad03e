import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** Closed batches whose briefs, requests, sends and lists of files are in a file of the archive. */
export async function up(db: Kysely<any>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const int = postgres ? 'bigint' : 'integer';
  await sql
    .raw(
      `create table archived_batches (
        batch_id text not null primary key, path text not null, sha256 text not null, size_bytes ${int} not null,
        rows ${int} not null, orders ${int} not null, sends ${int} not null, files ${int} not null,
        last_send ${int} not null, at_ms ${int} not null
      )${postgres ? '' : ' strict'}`,
    )
    .execute(db);
}
