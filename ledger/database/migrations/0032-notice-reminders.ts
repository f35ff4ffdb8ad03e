import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** What is told once although nothing changes in the books, and endpoints that take nothing for so long that they are off. */
export async function up(db: Kysely<any>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const [int, end, key] = postgres ? ['bigint', '', 'text collate "C"'] : ['integer', ' strict', 'text'];
  const statements = [
    `create table notice_reminders (kind text not null, object ${key} not null, due_ms ${int} not null,
      primary key (kind, object))${end}`,
    `alter table notice_channels add column off_ms ${int}`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
