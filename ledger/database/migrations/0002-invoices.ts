import { type Kysely, PostgresAdapter, sql } from 'kysely';
import { chainEntries } from './chain-entries.js';

/**
 * Invoices are kept with their lines, entries are chained batch by batch, and a batch knows at which of its revisions
 * its reports were written.
 */
export async function up(db: Kysely<any>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const run = async (statements: readonly string[]) => {
    for (const statement of statements) await sql.raw(statement).execute(db);
  };
  await run(tables(postgres));
  await run(postgres ? [] : ['drop trigger entries_no_update']);
  if (postgres) await run(['alter table entries disable trigger entries_append_only']);
  await chainEntries(db, postgres);
  await run(postgres ? ['alter table entries enable trigger entries_append_only'] : [noSqlite('update', 'entries')]);
  await run(['create unique index entries_chain on entries (batch_id, batch_seq)']);
  await run(postgres ? invoices.map(guardPostgres) : invoices.flatMap(guardSqlite));
}

const invoices = ['invoices', 'invoice_lines'];

function tables(postgres: boolean): readonly string[] {
  const [int, end, key] = postgres ? ['bigint', '', 'text collate "C"'] : ['integer', ' strict', 'text'];
  const serial = postgres ? 'bigserial primary key' : 'integer primary key autoincrement';
  return [
    `create table invoices (invoice_no ${serial}, service_no ${int} not null, number ${key} not null,
      numbered ${int} not null, sha256 text not null, read_ms ${int} not null, read_by text not null,
      constraint invoices_number unique (service_no, number))${end}`,
    `create table invoice_lines (invoice_no ${int} not null, line ${int} not null, service_no ${int} not null,
      movie_id text, idempotency_key text, amount_minor ${int} not null, currency text not null, description text,
      primary key (invoice_no, line))${end}`,
    'create index invoices_sha256 on invoices (service_no, sha256)',
    'create index invoice_lines_movie on invoice_lines (service_no, movie_id) where movie_id is not null',
    'create index invoice_lines_key on invoice_lines (service_no, idempotency_key) where idempotency_key is not null',
    `alter table entries add column batch_seq ${int}`,
    'alter table entries add column hash text',
    `alter table batches add column reported_revision ${int}`,
    // Their reports say what is so: only what changes from here on makes them old.
    `update batches set reported_revision = revision
      where state in ('closed', 'canceled', 'unsettled', 'refused', 'expired')`,
  ];
}

function noSqlite(verb: string, table: string): string {
  return `create trigger ${table}_no_${verb} before ${verb} on ${table}
    begin select raise(abort, '${table} are append-only'); end`;
}

function guardSqlite(table: string): readonly string[] {
  return ['update', 'delete'].map((verb) => noSqlite(verb, table));
}

function guardPostgres(table: string): string {
  return `create trigger ${table}_append_only before update or delete or truncate on ${table}
    for each statement execute function refuse_change()`;
}
