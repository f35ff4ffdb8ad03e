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

async function olderLedger(path: string): Promise<void> {
  const database = new Database(path);
  const { Kysely: Db } = await import('kysely');
  const db: Kysely<Tables> = new Db({ dialect: createSqliteDialect({ database, durable: () => false }) });
  const provider = { getMigrations: async () => ({ '0001-start': start }) };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (error) throw error;
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
