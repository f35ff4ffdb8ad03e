import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import type { Policy } from '../domain/policy.js';
import { SharedCommits } from './database/group-commit.js';
import { migrateLedger } from './database/migrate.js';
import { createPool, isWorthAnotherTry } from './database/postgres.js';
import { createSqliteDialect } from './database/sqlite-dialect.js';
import type { Tables } from './database/tables.js';
import { LedgerError } from './ledger-error.js';

export { LedgerError, type LedgerErrorCode } from './ledger-error.js';

/** A transaction on the books. */
export type Tx = Transaction<Tables>;

/** The book of record. Everything else that knows something reads it here. */
export interface Ledger {
  readonly db: Kysely<Tables>;
  readonly dialect: 'sqlite' | 'postgres';
  /**
   * Runs `work` in one transaction and resolves after its commit; what it throws undoes it. It may run more than once
   * (on PostgreSQL after a deadlock, on SQLite where another work of the same commit is undone) and must not write to
   * the ledger in any other way.
   *
   * @param options.durable the commit survives a power cut, not only a crash. PostgreSQL's always do.
   */
  write<T>(work: (tx: Tx) => Promise<T>, options?: { readonly durable?: boolean }): Promise<T>;
  close(): Promise<void>;
}

export interface LedgerOptions {
  /** `sqlite:<path>` (`sqlite::memory:` for one that is forgotten) or `postgres://…`. */
  readonly url: string;
  /** The policy of an embedded ledger that is created by this call, where it differs from the default. */
  readonly seed?: Partial<Policy>;
}

/** 64 MB of changes are copied back at a time: copying each megabyte costs a tenth of all writing. */
const pagesPerCheckpoint = 16_384;

/** Waiting for another process to finish its transaction: longer than sealing the largest batch takes. */
const busyTimeoutMs = 30_000;

/**
 * Opens the books, creating or migrating them where needed.
 *
 * @throws LedgerError for an address of another kind; Error where the database cannot be reached or is newer.
 */
export async function openLedger({ url, seed = {} }: LedgerOptions): Promise<Ledger> {
  const ledger = url.startsWith('sqlite:') ? await openSqlite(url.slice('sqlite:'.length)) : await openPostgres(url);
  try {
    await migrateLedger(ledger, seed);
    return ledger;
  } catch (error) {
    await ledger.close();
    throw error;
  }
}

async function openSqlite(path: string): Promise<Ledger> {
  if (path !== ':memory:') await mkdir(dirname(path), { recursive: true });
  const database = new Database(path, { timeout: busyTimeoutMs });
  database.pragma('journal_mode = WAL');
  database.pragma(`wal_autocheckpoint = ${pagesPerCheckpoint}`);
  const commits = new SharedCommits(
    (durable) => new Kysely<Tables>({ dialect: createSqliteDialect({ database, durable }) }),
  );
  return {
    db: commits.db,
    dialect: 'sqlite',
    write: (work, options) => commits.write(work, options?.durable ?? false),
    close: () => commits.db.destroy(),
  };
}

async function openPostgres(url: string): Promise<Ledger> {
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw new LedgerError('bad_argument', 'Cannot open the ledger: its address must begin with sqlite: or postgres://');
  }
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: await createPool(url) }) });
  return {
    db,
    dialect: 'postgres',
    write: (work) => writeWithRetries(db, work),
    close: () => db.destroy(),
  };
}

/** More than the processes that one lock order leaves to collide; the last failure is thrown. */
const tries = 10;

async function writeWithRetries<T>(db: Kysely<Tables>, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt === tries || !isWorthAnotherTry(error)) throw error;
    }
  }
}
