import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, Migrator, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as start from '../../../ledger/database/migrations/0001-start.js';
import { createSqliteDialect } from '../../../ledger/database/sqlite-dialect.js';
import type { Tables } from '../../../ledger/database/tables.js';
import { type Ledger, openLedger } from '../../../ledger/ledger.js';
import { listBudgets } from '../../../ledger/money/budgets.js';
import { entryHash } from '../../../ledger/money/entry-chain.js';
import { auditCounters } from '../../../ledger/verification/counter-check.js';

interface Place {
  readonly url: string;
  /** Of the ledger as it is before its first version is made. */
  readonly db: Kysely<Tables>;
  remove(): Promise<void>;
}

const serverUrl = process.env.GREENLIGHT_TEST_POSTGRES_URL;

describe.each([
  ['SQLite', sqlitePlace],
  ...(serverUrl ? [['PostgreSQL', () => postgresPlace(serverUrl)] as const] : []),
] as const)('a ledger of the first schema (%s)', (_name, makePlace) => {
  let place: Place;
  let ledger: Ledger;
  beforeEach(async () => {
    place = await makePlace();
    await fillOlder(place.db);
    ledger = await openLedger({ url: place.url, migrate: true });
  });
  afterEach(async () => {
    await ledger.close();
    await place.remove();
  });

  test('opens: its entries are chained, batch by batch, and stay append-only', async () => {
    const entries = await ledger.db.selectFrom('entries').selectAll().orderBy('entry_id').execute();
    expect(entries.map(({ batch_id, batch_seq }) => [batch_id, batch_seq])).toEqual([
      ['one-1', 1],
      ['two-1', 1],
      ['one-1', 2],
      ['one-1', 3],
    ]);
    let head = '';
    for (const entry of entries.filter(({ batch_id }) => batch_id === 'one-1')) {
      head = entryHash(entry, head);
      expect(entry.hash).toBe(head);
    }
    await expect(ledger.db.updateTable('entries').set({ hash: '' }).execute()).rejects.toThrow('append-only');
    await expect(ledger.db.deleteFrom('entries').execute()).rejects.toThrow('append-only');
  });

  test('has budgets apart by the kind of money, which count all that was spent under their path', async () => {
    const levels = await listBudgets(ledger);
    const shown = levels.map((level) => [
      ...[level.path, level.rehearsal, level.limitMinor, level.committedMinor, level.spentMinor],
    ]);
    expect(shown).toEqual([
      ['acme', false, 900, 0, 100],
      ['acme/one', false, 500, 0, 100],
      ['other', false, 700, 0, 0],
      ['acme', true, 900, 100, 0],
    ]);
    const amiss = await auditCounters(ledger);
    expect(amiss.filter(({ of }) => of.includes('budget'))).toEqual([]);
  });
});

async function sqlitePlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-migrate-'));
  const path = join(folder, 'ledger.db');
  const database = new Database(path);
  return {
    url: `sqlite:${path}`,
    db: new Kysely<Tables>({ dialect: createSqliteDialect({ database, durable: () => false }) }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function postgresPlace(server: string): Promise<Place> {
  const name = `migrate_${randomBytes(6).toString('hex')}`;
  const administer = async (statement: string) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await administer(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.toString(),
    db: new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url.toString() }) }),
    }),
    remove: () => administer(`drop database ${name} with (force)`),
  };
}

async function fillOlder(db: Kysely<Tables>): Promise<void> {
  const provider = { getMigrations: async () => ({ '0001-start': start }) };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (error) throw error;
  await sql
    .raw(`insert into services (service_no, name, base_url, rehearsal) values
    (1, 'movies', 'https://movies.example/v1', 0), (2, 'studio', 'embedded', 1)`)
    .execute(db);
  // As an older version left it: a level that was defined late counted nothing of what came before.
  await sql
    .raw(`insert into budgets (path, currency, limit_minor, committed_minor, spent_minor) values
    ('acme', 'USD', 900, 100, 100), ('acme/one', 'USD', 500, 0, 0), ('other', 'USD', 700, 0, 0)`)
    .execute(db);
  for (const [batch, service, budget, approved, posted] of [
    ['one-1', 1, 'acme/one/x', 100, 100],
    ['two-1', 2, 'acme', 100, 0],
  ]) {
    await sql`insert into batches (batch_id, lineage_no, service_no, number, state, settings, budget_path, levels,
      currency, manifest_name, manifest_columns, briefs_digest, submitted_by, submitted_ms, approved_minor, posted_minor)
      values (${batch}, 1, ${service}, 1, 'making', '{}', ${budget}, '["acme"]', 'USD', 'a.csv', '[]', '', 'sam', 1,
      ${approved}, ${posted})`.execute(db);
  }
  for (const [batch, kind] of [
    ['one-1', 'commit'],
    ['two-1', 'commit'],
    ['one-1', 'hold'],
    ['one-1', 'post'],
  ]) {
    await sql`insert into entries (at_ms, kind, batch_id, amount_minor, currency)
      values (1, ${kind}, ${batch}, 100, 'USD')`.execute(db);
  }
  await db.destroy();
}
