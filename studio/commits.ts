import type Database from 'better-sqlite3';

export interface Commits {
  /**
   * Runs `work` in the next transaction and resolves once that is committed. Calls of one event-loop turn share a
   * transaction, in the order given; one that throws is rolled back alone.
   *
   * `durable` (the default) also survives a power cut; otherwise the commit survives only the end of this process.
   */
  run<T>(work: () => T, options?: { readonly durable?: boolean }): Promise<T>;
  /** Commits what is waiting. Later calls are refused. */
  close(): void;
}

interface Waiting {
  readonly work: () => unknown;
  readonly durable: boolean;
  readonly resolve: (value: never) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Group commit: while one transaction waits for the disk, requests pile up behind it and share the next one.
 *
 * @param onCommit called after each transaction, whoever asked for it.
 */
export function createCommits(db: Database.Database, onCommit: () => void = () => undefined): Commits {
  let waiting: Waiting[] = [];
  let closed = false;
  let level = '';

  const one = db.transaction((work: () => unknown) => work());
  const all = db.transaction((writes: readonly Waiting[]) => writes.map((each) => attempt(() => one(each.work))));

  function flush(): void {
    const writes = waiting;
    waiting = [];
    if (writes.length === 0) return;
    const wanted = writes.some((each) => each.durable) ? 'FULL' : 'NORMAL';
    try {
      if (level !== wanted) db.pragma(`synchronous = ${wanted}`);
      level = wanted;
      settle(writes, all.immediate(writes));
    } catch (error) {
      for (const each of writes) each.reject(error);
      return;
    }
    onCommit();
  }

  return {
    run(work, { durable = true } = {}) {
      if (closed) return Promise.reject(new Error('Cannot write to the studio: it is closed'));
      return new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ work, durable, resolve, reject });
      });
    },
    close() {
      closed = true;
      flush();
    },
  };
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

function attempt(work: () => unknown): Outcome {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}

function settle(writes: readonly Waiting[], outcomes: readonly Outcome[]): void {
  outcomes.forEach((outcome, index) => {
    if ('error' in outcome) writes[index]?.reject(outcome.error);
    else writes[index]?.resolve(outcome.value as never); // the type that the work itself returned
  });
}
