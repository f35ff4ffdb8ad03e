import type Database from 'better-sqlite3';
import { CompiledQuery, type Kysely } from 'kysely';
import type { Tables } from './tables.js';

/**
 * The time of the database, which all machines that share it agree on. What is decided by time (a window, an expiry,
 * a deadline, a pause that the service asked for) is decided by it; the clock of a machine may be days off.
 */
export interface DatabaseClock {
  /** Milliseconds since 1970, asked for inside the transaction where one is given. */
  now(tx?: Kysely<Tables>): Promise<number>;
  /** The same without asking, to the accuracy of a round trip: for what is recorded, shown or waited for. */
  readonly clock: () => number;
}

/** An embedded database has the time of the one machine that it is on. */
export function sqliteClock(database: Database.Database): DatabaseClock {
  const time = database.prepare<[], number>(`select cast(round(unixepoch('subsec') * 1000) as integer)`).pluck();
  const clock = () => time.get() ?? 0;
  return { now: async () => clock(), clock };
}

const measureEveryMs = 10_000;

export interface TimeOfServer {
  readonly ms: number;
}

/** Its answer is one row, with the time as `ms`. */
export const askPostgresTime = 'select cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint) as ms';
const askTime = CompiledQuery.raw(askPostgresTime) as CompiledQuery<TimeOfServer>; // by its text

/**
 * A server's own time. Between two measurements the machine's monotonic clock goes on from the last one, which no
 * change of its date moves.
 */
export async function postgresClock(db: Kysely<Tables>): Promise<DatabaseClock & { readonly stop: () => void }> {
  const now = async (tx: Kysely<Tables> = db) => {
    const { rows } = await tx.executeQuery<TimeOfServer>(askTime);
    const [first] = rows;
    if (!first) throw new Error('Cannot ask the database for its time: it gave none');
    return first.ms;
  };
  let offsetMs = 0;
  const measure = async () => {
    const askedMs = performance.now();
    const serverMs = await now();
    offsetMs = serverMs - (askedMs + performance.now()) / 2;
  };
  await measure();
  const timer = setInterval(() => void measure().catch(() => undefined), measureEveryMs); // away: the last one holds
  timer.unref();
  return { now, clock: () => Math.round(performance.now() + offsetMs), stop: () => clearInterval(timer) };
}
