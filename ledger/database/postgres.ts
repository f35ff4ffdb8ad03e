import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type pg from 'pg';
import type { Tables } from './tables.js';

/** Object ids of PostgreSQL's `int8` and `numeric`, which the driver gives as text. */
const wideNumbers = [20, 1700];

/** Connections of one process. Every amount and time is a whole number well within 2^53, so they come as numbers. */
export async function createPool(connectionString: string): Promise<pg.Pool> {
  const { default: driver } = await import('pg');
  const { types } = driver;
  const pool = new driver.Pool({
    connectionString,
    max: 10,
    keepAlive: true,
    types: {
      getTypeParser: (id: number, format?: 'text' | 'binary') =>
        wideNumbers.includes(id) ? Number : types.getTypeParser(id, format as 'text'),
    } as pg.CustomTypesConfig, // the typings want one signature for each overload
  });
  // A connection that the server ends is replaced, whether it is idle or lent out: whoever uses it hears of it by its
  // query. Without a listener for each of the two the process would end with it.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Of the network, and of a server that goes, comes, or has no room; 08 is the class of connection exceptions. */
const lostCodes =
  /^(ECONN[A-Z]+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENOTFOUND|EAI_AGAIN|ENOENT|08...|57P0[123]|53300)$/;
/** The driver's own words for the same have no code. */
const lostWords = /^Connection terminated|^Client was closed|has encountered a connection error|^timeout exceeded/;

/** Whether the server could not be reached, or went away before it answered. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isConnectionLost); // of several addresses of one name
  return lostCodes.test(codeOf(error)) || lostWords.test(error.message);
}

/** For people: as `ECONNREFUSED 127.0.0.1:5432`. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = codeOf(error);
  const { address, port } = error as { readonly address?: unknown; readonly port?: unknown };
  if (code.startsWith('E')) return `${code}${typeof address === 'string' ? ` ${address}:${port}` : ''}`;
  return error.message;
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** A serialization failure or a deadlock: the transaction left no trace and may be run again. */
export function isWorthAnotherTry(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return code === '40001' || code === '40P01';
}

/**
 * Has PostgreSQL look at the rows after many came in. Until its own housekeeping does so, a minute later, it plans by
 * the table as it was, and reads all of it for each page of prices. SQLite plans by its indexes alone.
 */
export async function countRowsAnew(db: Kysely<Tables>): Promise<void> {
  if (onPostgres(db)) await sql`analyze rows`.execute(db);
}

/** Lets one transaction of a kind run at a time. SQLite has one writer anyway. */
export async function oneAtATime(db: Kysely<Tables>, kind: string): Promise<void> {
  if (onPostgres(db)) await sql`select pg_advisory_xact_lock(hashtext(${`greenlight ${kind}`}))`.execute(db);
}

/**
 * Waits for every transaction that has moved or checked money of a budget, and holds up the next ones: what is summed
 * from the entries after this is what the counters stand for. SQLite has one writer anyway.
 */
export async function lockBudgets(db: Kysely<Tables>): Promise<void> {
  if (onPostgres(db)) await sql`lock table budgets in exclusive mode`.execute(db);
}

/** What a column holds, whatever the database calls it. */
export type ColumnKind = 'int' | 'text';

/** The kind as PostgreSQL calls it, where the columns of a JSON document are declared. */
export const postgresTypes: Readonly<Record<ColumnKind, string>> = { int: 'bigint', text: 'text' };

export function onPostgres(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
