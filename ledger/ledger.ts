import { closeSync, openSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { Kysely, type Transaction } from 'kysely';
import type { Policy } from '../domain/policy.js';
import { type DatabaseClock, postgresClock, sqliteClock } from './database/database-clock.js';
import { SharedCommits } from './database/group-commit.js';
import { migrateLedger, requireMigrated } from './database/migrate.js';
import { pipelining } from './database/one-journey.js';
import { Outage, type OutageListener } from './database/outage.js';
import { createPostgresDialect } from './database/postgres-dialect.js';
import { createPool, isConnectionLost, isWorthAnotherTry } from './database/postgres.js';
import { createSqliteDialect } from './database/sqlite-dialect.js';
import { watchPlace } from './database/sqlite-place.js';
import type { Tables } from './database/tables.js';
import { LedgerError } from './ledger-error.js';

export { LedgerError, type LedgerErrorCode } from './ledger-error.js';

/** A transaction on the books. */
export type Tx = Transaction<Tables>;

/** The book of record. Everything else that knows something reads it here. */
export interface Ledger extends DatabaseClock {
  /** Given to it when it was made; a copy has the same. */
  readonly id: string;
  readonly db: Kysely<Tables>;
  readonly dialect: 'sqlite' | 'postgres';
  /**
   * Runs `work` in one transaction and resolves after its commit; what it throws undoes it. It may run more than once
   * (on PostgreSQL after a deadlock or a lost connection, on SQLite where another work of the same commit is undone)
   * and must not write to the ledger in any other way.
   *
   * @param options.durable the commit survives a power cut, not only a crash. PostgreSQL's always do.
   * @throws LedgerAwayError where the database is away and nobody waits for it; CommitUncertainError where its
   * connection ended during the commit.
   */
  write<T>(work: (tx: Tx) => Promise<T>, options?: { readonly durable?: boolean }): Promise<T>;
  /** From now on whoever needs a database that is away hears so, instead of waiting for it. */
  stopWaiting(): void;
  close(): Promise<void>;
}

export interface LedgerOptions {
  /** `sqlite:<path>` (`sqlite::memory:` for one that is forgotten) or `postgres://…`. */
  readonly url: string;
  /** The policy of an embedded ledger that is created by this call, where it differs from the default. */
  readonly seed?: Partial<Policy>;
  /**
   * Whoever gives it waits for a database that goes away once it was opened, and is told what for and when that is
   * over; others hear at once that it is away.
   */
  readonly onOutage?: OutageListener | undefined;
  /**
   * Whether tables are made or brought to this version. By default those of SQLite are; a shared ledger is migrated
   * when somebody says so, since other programs work on it.
   */
  readonly migrate?: boolean;
  /** Told the versions that were applied. */
  readonly onMigrated?: (versions: readonly string[]) => void;
  /** How long PostgreSQL's answer may be outstanding before it is asked whether it works on it. */
  readonly silenceMs?: number;
}

/** 64 MB of changes are copied back at a time: copying each megabyte costs a tenth of all writing. */
const pagesPerCheckpoint = 16_384;

/** Waiting for another process to finish its transaction: longer than sealing the largest batch takes. */
const busyTimeoutMs = 30_000;

/**
 * Opens the books.
 *
 * @throws LedgerError for an address of another kind; LedgerAwayError where the database cannot be reached;
 * SchemaProblem where its tables are missing, older and not to be migrated, or newer.
 */
export async function openLedger({ url, seed = {}, ...options }: LedgerOptions): Promise<Ledger> {
  const { onOutage, migrate, onMigrated, silenceMs } = options;
  const outage = new Outage();
  const opened = url.startsWith('sqlite:')
    ? await openSqlite(url.slice('sqlite:'.length), outage)
    : await openPostgres(url, { outage, silenceMs });
  try {
    if (migrate ?? opened.dialect === 'sqlite') {
      const versions = await migrateLedger(opened, seed);
      onMigrated?.(versions);
    } else await requireMigrated(opened);
    const { ledger_id: id } = await opened.db.selectFrom('ledger').select('ledger_id').executeTakeFirstOrThrow();
    // Not before: an address where nothing is may be a wrong one.
    if (onOutage) outage.waitFromNow(onOutage);
    return { id, ...opened };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Before its tables are known to be of this version. */
export type OpenedDatabase = Omit<Ledger, 'id'>;

async function openSqlite(path: string, outage: Outage): Promise<OpenedDatabase> {
  if (path !== ':memory:') await mkdir(dirname(path), { recursive: true });
  // SQLite gives the files that it puts beside it the same permissions.
  if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600));
  const database = new Database(path, { timeout: busyTimeoutMs });
  database.pragma('journal_mode = WAL');
  database.pragma(`wal_autocheckpoint = ${pagesPerCheckpoint}`);
  const inPlace = path === ':memory:' ? {} : { inPlace: watchPlace(path, outage) };
  const commits = new SharedCommits(
    (durable) => new Kysely<Tables>({ dialect: createSqliteDialect({ database, durable, ...inPlace }) }),
  );
  return {
    ...sqliteClock(database),
    db: commits.db,
    dialect: 'sqlite',
    write: (work, options) => commits.write(work, options?.durable ?? false),
    stopWaiting: () => outage.close(),
    close() {
      outage.close();
      return commits.db.destroy();
    },
  };
}

interface PostgresOptions {
  readonly outage: Outage;
  readonly silenceMs: number | undefined;
}

async function openPostgres(url: string, { outage, silenceMs }: PostgresOptions): Promise<OpenedDatabase> {
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw new LedgerError('bad_argument', 'Cannot open the ledger: its address must begin with sqlite: or postgres://');
  }
  const dialect = createPostgresDialect({ pool: await createPool(url, silenceMs), outage });
  const db = new Kysely<Tables>({ dialect });
  const pipelined = pipelining(dialect);
  const { now, clock, stop } = await postgresClock(db).catch(async (error: unknown) => {
    outage.close();
    await db.destroy();
    throw error;
  });
  return {
    ...{ db, now, clock },
    dialect: 'postgres',
    write: (work) => writeWithRetries(db, (tx) => pipelined(tx, work), outage),
    stopWaiting: () => outage.close(),
    close() {
      stop();
      outage.close();
      return db.destroy();
    },
  };
}

/** More than the processes that one lock order leaves to collide; the last failure is thrown. */
const tries = 10;
/** Before a transaction is begun again whose connection was lost. */
const lostPauseMs = 100;

async function writeWithRetries<T>(db: Kysely<Tables>, work: (tx: Tx) => Promise<T>, outage: Outage): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      // Lost before its commit, it was undone.
      const lost = isConnectionLost(error);
      if (!lost && !isWorthAnotherTry(error)) throw error;
      if (failures >= tries && !(lost && outage.isWaitedFor)) throw error;
      if (lost) await sleep(lostPauseMs);
    }
  }
}
