import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * A plan of a hundred thousand rows is shown without reading all of them: what its rows come to is kept when it is
 * sealed, and what its approval asks of them is found in indexes alone.
 */
export async function up(db: Kysely<any>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const int = postgres ? 'bigint' : 'integer';
  for (const statement of [
    `create table plan_figures (
      batch_id text not null primary key, sealed_ms ${int} not null, sums text not null, dearest text not null
    )${postgres ? '' : ' strict'}`,
    'drop index rows_content',
    // Others that have the content of a row.
    'create index rows_content on rows (content_digest, batch_id) where ordered = 1',
    // In the order of the contents, so that each is looked up beside the one before it.
    'create index rows_of_plan on rows (batch_id, content_digest, position) where ordered = 1',
    'create index rows_estimated on rows (batch_id, estimated_ms) where ordered = 1',
    `create index rows_classed on rows (batch_id, position) where class <> 'new' or ordered <> 1`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}
