import { randomUUID } from 'node:crypto';
import { Migrator, sql } from 'kysely';
import { defaultPolicy, type Policy } from '../../domain/policy.js';
import type { OpenedDatabase } from '../ledger.js';
import * as start from './migrations/0001-start.js';
import * as invoices from './migrations/0002-invoices.js';
import * as access from './migrations/0003-access.js';
import * as waysOut from './migrations/0004-ways-out.js';
import * as budgets from './migrations/0012-budgets.js';
import * as signIn from './migrations/0020-sign-in.js';
import * as reviews from './migrations/0030-reviews.js';
import * as notices from './migrations/0031-notices.js';
import * as noticeReminders from './migrations/0032-notice-reminders.js';
import * as archive from './migrations/0060-archive.js';
import * as orderRate from './migrations/0061-order-rate.js';
import * as archivedBatches from './migrations/0062-archived-batches.js';
import * as runTimes from './migrations/0080-run-times.js';
import * as rowLists from './migrations/0081-row-lists.js';
import * as provedSignIn from './migrations/0090-proved-sign-in.js';
import * as alarmTimes from './migrations/0092-alarm-times.js';
import * as auditObject from './migrations/0093-audit-object.js';
import * as planFigures from './migrations/0094-plan-figures.js';
import * as markets from './migrations/0095-markets.js';
import * as rowEnds from './migrations/0096-row-ends.js';
import * as recoveredMovies from './migrations/0097-recovered-movies.js';

const migrations = {
  '0001-start': start,
  '0002-invoices': invoices,
  '0003-access': access,
  '0004-ways-out': waysOut,
  '0012-budgets': budgets,
  '0020-sign-in': signIn,
  '0030-reviews': reviews,
  '0031-notices': notices,
  '0032-notice-reminders': noticeReminders,
  '0060-archive': archive,
  '0061-order-rate': orderRate,
  '0062-archived-batches': archivedBatches,
  '0080-run-times': runTimes,
  '0081-row-lists': rowLists,
  '0090-proved-sign-in': provedSignIn,
  '0092-alarm-times': alarmTimes,
  '0093-audit-object': auditObject,
  '0094-plan-figures': planFigures,
  '0095-markets': markets,
  '0096-row-ends': rowEnds,
  '0097-recovered-movies': recoveredMovies,
};

/** The tables are not of this program's version; the message says what to do. */
class SchemaProblem extends Error {
  override readonly name = 'SchemaProblem';
}

/**
 * Brings the tables to this version, under a lock, and writes the first row of a new ledger.
 *
 * @returns the versions that were applied; none where the tables were of this one.
 * @throws SchemaProblem where they are newer, or the database user may not change them.
 */
export async function migrateLedger(database: OpenedDatabase, seed: Partial<Policy>): Promise<readonly string[]> {
  refuseNewer(await versionsOf(database));
  const provider = { getMigrations: async () => migrations };
  // Numbers are given to those who work side by side: a lower one may come later.
  const migrator = new Migrator({ db: database.db, provider, allowUnorderedMigrations: true });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) throw notMigrated(error);
  await database.db
    .insertInto('ledger')
    .values({
      id: 1,
      ledger_id: randomUUID(),
      created_ms: Date.now(),
      policy: JSON.stringify(firstPolicy(database, seed)),
      policy_version: 1,
      audit_length: 0,
      audit_head: '',
      halted: null,
      archive_id: null,
      archive_url: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return results.map(({ migrationName }) => migrationName);
}

/** @throws SchemaProblem unless the tables are there and of this version. */
export async function requireMigrated(database: OpenedDatabase): Promise<void> {
  const versions = await versionsOf(database);
  refuseNewer(versions);
  const { has, pending } = versions;
  if (has === null)
    throw new SchemaProblem('Cannot use the ledger: it has no tables yet; run: greenlight ledger migrate');
  if (pending.length === 0) return;
  throw new SchemaProblem(
    `Cannot use the ledger: its tables are older than this program (without ${pending.join(', ')}); run: greenlight ledger migrate`,
  );
}

interface Versions {
  /** The newest that was applied; null where there are no tables. */
  readonly has: string | null;
  readonly pending: readonly string[];
  /** Applied by a program that is newer than this one. */
  readonly unknown: readonly string[];
}

async function versionsOf({ db }: OpenedDatabase): Promise<Versions> {
  const applied: readonly string[] = await sql<{ name: string }>`select name from kysely_migration order by name`
    .execute(db)
    .then(
      ({ rows }) => rows.map(({ name }) => name),
      (error: unknown) => {
        if (isMissingTable(error)) return [];
        throw error;
      },
    );
  const known = Object.keys(migrations);
  return {
    has: applied.at(-1) ?? null,
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  };
}

function refuseNewer({ unknown }: Versions): void {
  const last = unknown.at(-1);
  if (last === undefined) return;
  throw new SchemaProblem(
    `Cannot use the ledger: its tables are of version ${last}, which is newer than this program (${newest()}); upgrade Greenlight`,
  );
}

function newest(): string {
  return Object.keys(migrations).toSorted().at(-1) ?? '';
}

/** Of PostgreSQL, and in the words of SQLite, which has no number for it. */
function isMissingTable(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return code === '42P01' || (typeof message === 'string' && message.startsWith('no such table'));
}

/** Of PostgreSQL: its user may not do that. */
const notPermitted = '42501';

function notMigrated(error: unknown): Error {
  const { code } = error as { readonly code?: unknown };
  const message = error instanceof Error ? error.message : String(error);
  if (code !== notPermitted) return new Error(`Cannot open the ledger: ${message}`, { cause: error });
  const says = `Cannot migrate the ledger: ${message}; use a database user that may create tables`;
  return new SchemaProblem(says, { cause: error });
}

/** A shared ledger is no one machine's: its policy is set by people, and nobody works alone on it. */
function firstPolicy({ dialect }: OpenedDatabase, seed: Partial<Policy>): Policy {
  return dialect === 'sqlite' ? { ...defaultPolicy, ...seed } : { ...defaultPolicy, solo: false };
}
