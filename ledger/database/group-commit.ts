import { setImmediate as turn } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from './tables.js';

interface Waiting {
  readonly durable: boolean;
  /** Runs in the shared transaction; throws what the work threw. */
  readonly run: (tx: Transaction<Tables>) => Promise<void>;
  /** After the commit. */
  readonly settle: () => void;
  readonly fail: (error: unknown) => void;
}

/** Bounds how long one commit keeps other processes waiting. */
const worksPerCommit = 64;

/**
 * Writes that are asked for in one turn of the event loop share a transaction. One fsync then makes many admissions
 * durable, and nobody hears of success before the commit. Where one of them fails, nothing of that transaction stays
 * and all run again, each under its own savepoint: paying for savepoints each time costs a tenth of all writing.
 */
export class SharedCommits {
  readonly #db: Kysely<Tables>;
  #queue: Waiting[] = [];
  #running = false;
  #durable = false;

  constructor(db: (durable: () => boolean) => Kysely<Tables>) {
    this.#db = db(() => this.#durable);
  }

  get db(): Kysely<Tables> {
    return this.#db;
  }

  write<T>(work: (tx: Transaction<Tables>) => Promise<T>, durable: boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let answer: { readonly value: T } | undefined;
      this.#queue.push({
        durable,
        run: async (tx) => {
          answer = { value: await work(tx) };
        },
        settle: () => answer && resolve(answer.value),
        fail: reject,
      });
      if (!this.#running) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#running = true;
    while (this.#queue.length > 0) {
      // SQLite answers at once: without this turn of the loop no second work could arrive while the first one runs.
      await turn();
      const group = this.#queue.splice(0, worksPerCommit);
      this.#durable = group.some(({ durable }) => durable);
      try {
        for (const { settle } of await this.#commit(group)) settle();
      } catch (error) {
        for (const { fail } of group) fail(error);
      }
    }
    this.#running = false;
  }

  /** @returns those that succeeded. The others were told already, and left no trace. */
  async #commit(group: readonly Waiting[]): Promise<readonly Waiting[]> {
    let refused = false;
    try {
      await this.#db.transaction().execute(async (tx) => {
        refused = true;
        for (const { run } of group) await run(tx);
        refused = false;
      });
      return group;
    } catch (error) {
      if (!refused || group.length === 1) throw error; // the database itself: it would say the same again
      return this.#db.transaction().execute((tx) => runApart(tx, group));
    }
  }
}

async function runApart(tx: Transaction<Tables>, group: readonly Waiting[]): Promise<readonly Waiting[]> {
  const done: Waiting[] = [];
  for (const waiting of group) {
    await sql`savepoint work`.execute(tx);
    try {
      await waiting.run(tx);
      done.push(waiting);
    } catch (error) {
      await sql`rollback to work`.execute(tx);
      waiting.fail(error);
    }
    await sql`release work`.execute(tx);
  }
  return done;
}
