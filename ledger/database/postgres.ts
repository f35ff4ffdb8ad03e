import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { type Kysely, PostgresAdapter, type PostgresPool, sql } from 'kysely';
import type pg from 'pg';
import { type Backend, endingSilence, introduce, silenceMs } from './silent-connections.js';
import type { Tables } from './tables.js';

/** Object ids of PostgreSQL's `int8` and `numeric`, which the driver gives as text. */
const wideNumbers = [20, 1700];

/** A host that does not answer is given up after so long. */
const connectMs = 10_000;

/**
 * Connections of one process. Every amount and time is a whole number well within 2^53, so they come as numbers.
 *
 * @param afterMs how long an answer may be outstanding before the server is asked whether it works on it
 */
export async function createPool(connectionString: string, afterMs = silenceMs): Promise<PostgresPool> {
  const { default: driver } = await import('pg');
  const { types } = driver;
  const way = { connectionString, keepAlive: true, keepAliveInitialDelayMillis: connectMs, stream: hasty };
  const pool = new driver.Pool({
    ...way,
    max: 10,
    pipeline: true, // what a transaction asks for at once leaves at once
    types: {
      getTypeParser: (id: number, format?: 'text' | 'binary') =>
        wideNumbers.includes(id) ? Number : types.getTypeParser(id, format as 'text'),
    } as pg.CustomTypesConfig, // the typings want one signature for each overload
  });
  // A connection that the server ends is replaced, whether it is idle or lent out: whoever uses it hears of it by its
  // query. Without a listener for each of the two the process would end with it.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    introduce(client);
  });
  return endingSilence(pool, { isWorking, afterMs, isGarbled });

  async function isWorking({ pid, since }: Backend, isAnswered: () => boolean): Promise<boolean> {
    const client = new driver.Client({ ...way, query_timeout: connectMs, connectionTimeoutMillis: connectMs });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await turn(); // what lay there while this process was busy is read
      if (isAnswered()) return true;
      // What it answered a moment ago may be on its way: whoever looks again finds out.
      const { rows } = await client.query<{ working: boolean }>(
        `with asked as (
          select pid, state = 'active' or state_change > clock_timestamp() - make_interval(secs => $3) as working
          from pg_stat_activity where pid = $1 and backend_start = $2::timestamptz)
        select working, case when not working then pg_terminate_backend(pid) end from asked`,
        [pid, since, afterMs / 2 / 1_000],
      );
      return isAnswered() || (rows[0]?.working ?? false);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** A socket that gives up connecting where nobody answers; the machine's own patience is two minutes. */
function hasty(): Socket {
  const socket = new Socket();
  const why = Object.assign(new Error('it does not answer'), { code: 'ETIMEDOUT' });
  socket.setTimeout(connectMs, () => socket.destroy(why));
  socket.once('connect', () => socket.setTimeout(0));
  return socket;
}

/** Of the network, and of a server that goes, comes, or has no room; 08 is the class of connection exceptions. */
const lostCodes =
  /^(ECONN[A-Z]+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENOTFOUND|EAI_AGAIN|ENOENT|08...|57P0[123]|53300)$/;
/** The driver's own words for the same have no code. */
const lostWords = /^Connection terminated|^Client was closed|has encountered a connection error|^timeout exceeded/;
/** The same of what came on the wire and is no answer of PostgreSQL. */
const garbledWords = /^received (invalid response|unexpected )/i;

/** Whether the server could not be reached, or went away before it answered. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isConnectionLost); // of several addresses of one name
  return lostCodes.test(codeOf(error)) || lostWords.test(error.message) || isGarbled(error);
}

/** Whether what came is no answer of PostgreSQL: nothing that comes after it on that connection can be believed. */
function isGarbled(error: unknown): boolean {
  return error instanceof Error && garbledWords.test(error.message);
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
 * Has PostgreSQL look at the rows after many came in or changed. Until its own housekeeping does so, a minute later, it
 * plans by the table as it was, and reads all of it for each page of prices, or all that is open for each order. SQLite
 * plans by its indexes alone.
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
