import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** What people are to hear of, written with the change itself, and how far each channel has told it. */
export async function up(db: Kysely<any>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter;
  for (const statement of statements(postgres)) await sql.raw(statement).execute(db);
}

function statements(postgres: boolean): readonly string[] {
  const [int, end, key] = postgres ? ['bigint', '', 'text collate "C"'] : ['integer', ' strict', 'text'];
  const serial = postgres ? 'bigint generated always as identity primary key' : 'integer primary key autoincrement';
  return [
    `create table notices (notice_no ${serial}, at_ms ${int} not null, kind text not null, object ${key} not null,
      by_name text not null, detail text not null)${end}`,
    `create table notice_channels (channel ${key} primary key, after_no ${int} not null, lease_ms ${int} not null default 0,
      not_before_ms ${int} not null default 0, tries ${int} not null default 0, failing_ms ${int}, error text)${end}`,
    `create table notice_messages (channel ${key} not null, notice_no ${int} not null, kind text not null,
      object ${key} not null, message_no ${int}, sent_ms ${int}, primary key (channel, notice_no))${end}`,
    'create index notice_messages_waiting on notice_messages (channel, notice_no) where sent_ms is null',
    'create index notice_messages_sent on notice_messages (channel, kind, object, sent_ms)',
  ];
}
