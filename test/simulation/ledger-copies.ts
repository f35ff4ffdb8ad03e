import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { sqliteClock } from '../../ledger/database/database-clock.js';
import { SharedCommits } from '../../ledger/database/group-commit.js';
import { createSqliteDialect } from '../../ledger/database/sqlite-dialect.js';
import type { Tables } from '../../ledger/database/tables.js';
import { type Ledger, openLedger } from '../../ledger/ledger.js';

/** A ledger that has its tables and nothing else, as bytes. @param folder for its file, which stays there. */
export async function emptyLedger(folder: string): Promise<Buffer> {
  const path = join(folder, 'ledger.db');
  const ledger = await openLedger({ url: `sqlite:${path}`, seed: { solo: false } });
  // Bytes in memory have no log beside them.
  await sql`pragma journal_mode = delete`.execute(ledger.db);
  await ledger.close();
  return readFile(path);
}

export interface LedgerInMemory extends Ledger {
  /** What it holds now, as a backup has it. */
  copy(): Buffer;
}

/** The product's own ledger over bytes in memory, as it opens one over a file: no step of it waits for a disk. */
export async function ledgerFrom(bytes: Buffer): Promise<LedgerInMemory> {
  const database = new Database(bytes);
  const commits = new SharedCommits(
    (durable) => new Kysely<Tables>({ dialect: createSqliteDialect({ database, durable }) }),
  );
  const { ledger_id: id } = await commits.db.selectFrom('ledger').select('ledger_id').executeTakeFirstOrThrow();
  return {
    ...{ ...sqliteClock(database), id, db: commits.db, dialect: 'sqlite' },
    write: (work, options) => commits.write(work, options?.durable ?? false),
    stopWaiting: () => undefined,
    close: () => commits.db.destroy(),
    copy: () => database.serialize(),
  };
}
