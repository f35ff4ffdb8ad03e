import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type Kysely, Migrator, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as start from '../../../ledger/database/migrations/0001-start.js';
import { createSqliteDialect } from '../../../ledger/database/sqlite-dialect.js';
import type { Tables } from '../../../ledger/database/tables.js';
import { openLedger } from '../../../ledger/ledger.js';
import { listBudgets } from '../../../ledger/money/budgets.js';
import { auditCounters } from '../../../ledger/money/counter-check.js';
import { entryHash } from '../../../ledger/money/entry-chain.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-migrate-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a ledger of the first schema opens: its entries are chained, batch by batch, and stay append-only', async () => {
  const path = join(folder, 'ledger.db');
  await olderLedger(path);
  const ledger = await openLedger({ url: `sqlite:${path}` });
  try {
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
    await expect(ledger.db.deleteFrom('invoices').execute()).resolves.toBeDefined();
  } finally {
    await ledger.close();
  }
});

test('its budgets are kept apart by the kind of money, and count all that was spent under their path', async () => {
  const path = join(folder, 'ledger.db');
  await olderLedger(path);
  const ledger = await openLedger({ url: `sqlite:${path}` });
  try {
    const levels = await listBudgets(ledger);
    const shown = levels.map((level) => [
      level.path,
      level.rehearsal,
      level.limitMinor,
      level.committedMinor,
      level.spentMinor,
    ]);
    expect(shown).toEqual([
      ['acme', false, 900, 0, 100],
      ['acme/one', false, 500, 0, 100],
      ['other', false, 700, 0, 0],
      ['acme', true, 900, 100, 0],
    ]);
    expect(await auditCounters(ledger)).toEqual([]);
  } finally {
    await ledger.close();
  }
});

async function olderLedger(path: string): Promise<void> {
  const database = new Database(path);
  const { Kysely: Db } = await import('kysely');
  const db: Kysely<Tables> = new Db({ dialect: createSqliteDialect({ database, durable: () => false }) });
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
