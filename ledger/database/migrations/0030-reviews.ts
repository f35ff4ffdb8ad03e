import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** What reviewers say of delivered movies, and the links by which people without an account see them. */
export async function up(db: Kysely<any>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter;
  for (const statement of statements(postgres)) await sql.raw(statement).execute(db);
}

function statements(postgres: boolean): readonly string[] {
  const [int, end, key] = postgres ? ['bigint', '', 'text collate "C"'] : ['integer', ' strict', 'text'];
  return [
    `create table reviews (batch_id ${key} not null, row_key ${key} not null, verdict text not null, note text,
      by_name text not null, at_ms ${int} not null, primary key (batch_id, row_key))${end}`,
    `create table share_links (link_id ${key} primary key, token_hash text not null unique, batch_id ${key} not null,
      by_name text not null, at_ms ${int} not null, until_ms ${int} not null, revoked_ms ${int})${end}`,
    'create index share_links_batch on share_links (batch_id)',
  ];
}
