import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import pg from 'pg';
import { defaultPolicy } from '../../domain/policy.js';
import { type Ledger, type LedgerOptions, openLedger } from '../../ledger/ledger.js';

/** A kind of database that the ledger runs on; every suite of the ledger runs on each. */
export interface Databases {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** A fresh, empty ledger, and its address for further processes. */
  open(seed?: LedgerOptions['seed']): Promise<{ readonly ledger: Ledger; readonly url: string }>;
  /** After a test. */
  clear(): Promise<void>;
  /** After the last one. */
  remove(): Promise<void>;
}

/** A file of tables without a row: making them takes four times as long as all else that a small test does. */
let emptyTables: Promise<Buffer> | undefined;

async function readEmptyTables(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-ledger-'));
  const path = join(folder, 'ledger.db');
  await (await openLedger({ url: `sqlite:${path}` })).close();
  const database = new Database(path);
  database.exec('delete from ledger'); // so that each has an id of its own
  database.pragma('journal_mode = DELETE'); // all of it in one file
  database.close();
  const bytes = await readFile(path);
  await rm(folder, { recursive: true });
  return bytes;
}

export function sqliteDatabases(): Databases {
  const opened: { readonly ledger: Ledger; readonly folder: string }[] = [];
  return {
    name: 'SQLite',
    async open(seed = {}) {
      emptyTables ??= readEmptyTables();
      const folder = await mkdtemp(join(tmpdir(), 'greenlight-ledger-'));
      const path = join(folder, 'ledger.db');
      await writeFile(path, await emptyTables);
      const url = `sqlite:${path}`;
      const ledger = await openLedger({ url, seed });
      opened.push({ ledger, folder });
      return { ledger, url };
    },
    async clear() {
      for (const { ledger, folder } of opened.splice(0)) {
        await ledger.close();
        await rm(folder, { recursive: true, force: true });
      }
    },
    async remove() {},
  };
}

/**
 * One database for all tests of a file, emptied between them.
 *
 * @param serverUrl of a database whose server may be filled with others.
 */
export function postgresDatabases(serverUrl: string): Databases {
  let opened: Promise<{ readonly ledger: Ledger; readonly url: string; readonly name: string }> | undefined;
  return {
    name: 'PostgreSQL',
    async open(seed = {}) {
      opened ??= create(serverUrl);
      const { ledger, url } = await opened;
      await empty(ledger);
      if (Object.keys(seed).length > 0) await applySeed(ledger, seed);
      return { ledger, url };
    },
    async clear() {},
    async remove() {
      if (!opened) return;
      const { ledger, name } = await opened;
      await ledger.close();
      await administer(serverUrl, `drop database ${name} with (force)`);
    },
  };
}

async function create(serverUrl: string) {
  const name = `ledger_${randomBytes(6).toString('hex')}`;
  await administer(serverUrl, `create database ${name}`);
  const url = databaseUrl(serverUrl, name);
  return { ledger: await openLedger({ url, migrate: true }), url, name };
}

/** Also what is append-only: the server's superuser may, which no migration or query of ours does. */
async function empty(ledger: Ledger): Promise<void> {
  await ledger.write(async (tx) => {
    const { policy } = await tx.selectFrom('ledger').select('policy').executeTakeFirstOrThrow();
    const tables = await tx.introspection.getTables();
    const names = tables.map(({ name }) => name).filter((name) => name !== 'ledger');
    await sql.raw('set local session_replication_role = replica').execute(tx);
    // Truncating makes new files for each table and index, which takes five times as long as deleting a few rows.
    await sql.raw(names.map((name) => `delete from ${name}`).join('; ')).execute(tx);
    await sql`select setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false) from pg_sequences`.execute(
      tx,
    );
    const fresh = { ...JSON.parse(policy), ...defaultPolicy, solo: false };
    await tx
      .updateTable('ledger')
      .set({
        policy: JSON.stringify(fresh),
        policy_version: 1,
        audit_length: 0,
        audit_head: '',
        halted: null,
        archive_id: null,
      })
      .execute();
  });
}

/** A shared ledger takes no seed from a configuration; a test may still want its policy so from the beginning. */
async function applySeed(ledger: Ledger, seed: NonNullable<LedgerOptions['seed']>): Promise<void> {
  await ledger.write(async (tx) => {
    const { policy } = await tx.selectFrom('ledger').select('policy').executeTakeFirstOrThrow();
    await tx
      .updateTable('ledger')
      .set({ policy: JSON.stringify({ ...JSON.parse(policy), ...seed }) })
      .execute();
  });
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.toString();
}

async function administer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
