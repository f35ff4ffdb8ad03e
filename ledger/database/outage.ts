import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** Told when the wait for a database begins, and when it is over. */
export type OutageListener = (words: string) => void;

/** The ledger's database is away: nothing that was asked of it has happened. */
export class LedgerAwayError extends Error {
  override readonly name = 'LedgerAwayError';
}

/** The connection ended while a commit was under way: it may have happened, or not. */
export class CommitUncertainError extends Error {
  override readonly name = 'CommitUncertainError';
}

const tryEveryMs = 500;

/** The wait for a database that went away, shared by all who need it. Without a listener nobody waits. */
export class Outage {
  #listener: OutageListener | null = null;
  readonly #closed = new AbortController();
  #told = false;

  constructor() {
    setMaxListeners(0, this.#closed.signal); // hundreds of activities may wait at once
  }

  /** From now on it is waited for, and the listener told. */
  waitFromNow(listener: OutageListener): void {
    this.#listener = listener;
  }

  /**
   * Waits a moment before the next try.
   *
   * @param why as `ECONNREFUSED`
   * @throws LedgerAwayError where nobody waits, or not any more.
   */
  async wait(why: string, cause?: unknown): Promise<void> {
    const error = new LedgerAwayError(`Cannot reach the ledger: ${why}`, { cause });
    if (!this.isWaitedFor) throw error;
    if (!this.#told) this.#listener?.(`Waiting for the ledger: ${why}`);
    this.#told = true;
    await sleep(tryEveryMs, undefined, { signal: this.#closed.signal }).catch(() => {
      throw error;
    });
  }

  /** Whether somebody waits for the database as long as it takes. */
  get isWaitedFor(): boolean {
    return this.#listener !== null && !this.#closed.signal.aborted;
  }

  over(): void {
    if (this.#told) this.#listener?.('The ledger is back');
    this.#told = false;
  }

  /** Nobody waits any more. */
  close(): void {
    this.#closed.abort();
  }
}
