import type { Ledger, Tx } from '../ledger.js';

/** The answer to an ask that is to have a transaction of its own. */
export const alone = Symbol('alone');

export interface Together<Ask, Answer, Locked> {
  /** Asks with one key may share a transaction: those of one batch, whose lock each of them takes. */
  readonly keyOf: (ask: Ask) => string;
  /** What a transaction serves once: of two asks that share a name, the later one waits for the next transaction. */
  readonly namesOf: (ask: Ask) => readonly string[];
  /** See `Ledger.write`. */
  readonly durable: boolean;
  /** Takes the lock of a key. Others may have it for long: who asks until it is had is served by this transaction. */
  readonly lock: (tx: Tx, key: string) => Promise<Locked>;
  /** Answers all of them, in their order; a single one is never answered with `alone`. May be run again. */
  readonly serve: (
    tx: Tx,
    asks: readonly Ask[],
    under: { readonly ledger: Ledger; readonly locked: Locked },
  ) => Promise<readonly (Answer | typeof alone)[]>;
}

/** Bounds how long one transaction holds the lock of a batch. */
const asksAtOnce = 64;

/**
 * Asks of one process that come while an earlier transaction runs share the next one: its locks, its journeys to the
 * server and its commit. Where it is undone by what one of them meets (a limit, a stop, a fault of the books), each is
 * served again by a transaction of its own, so that nobody's refusal is another's, and what a refusal says is exact.
 *
 * @returns resolves after the commit; rejects with what the ask's own transaction threw.
 */
export function together<Ask, Answer, Locked>(
  options: Together<Ask, Answer, Locked>,
): (ledger: Ledger, ask: Ask) => Promise<Answer> {
  const queues = new WeakMap<Ledger, Map<string, Queue<Ask, Answer, Locked>>>();
  return (ledger, ask) => {
    const ofLedger = queues.get(ledger) ?? new Map<string, Queue<Ask, Answer, Locked>>();
    queues.set(ledger, ofLedger);
    const key = options.keyOf(ask);
    const queue = ofLedger.get(key) ?? new Queue({ ledger, key, ...options }, () => ofLedger.delete(key));
    ofLedger.set(key, queue);
    return queue.ask(ask);
  };
}

interface Waiting<Ask, Answer> {
  readonly ask: Ask;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

interface Options<Ask, Answer, Locked> extends Together<Ask, Answer, Locked> {
  readonly ledger: Ledger;
  readonly key: string;
}

class Queue<Ask, Answer, Locked> {
  readonly #options: Options<Ask, Answer, Locked>;
  readonly #whenEmpty: () => void;
  #waiting: Waiting<Ask, Answer>[] = [];
  #running = false;

  constructor(options: Options<Ask, Answer, Locked>, whenEmpty: () => void) {
    this.#options = options;
    this.#whenEmpty = whenEmpty;
  }

  ask(ask: Ask): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ask, resolve, reject });
      if (!this.#running) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) await this.#serve(() => this.#next());
    this.#running = false;
    this.#whenEmpty();
  }

  /** The longest waiting ones, each name once. */
  #next(): readonly Waiting<Ask, Answer>[] {
    const names = new Set<string>();
    const next: Waiting<Ask, Answer>[] = [];
    const later: Waiting<Ask, Answer>[] = [];
    for (const waiting of this.#waiting) {
      const own = this.#options.namesOf(waiting.ask);
      const fits = next.length < asksAtOnce && !own.some((name) => names.has(name));
      for (const name of own) names.add(name);
      (fits ? next : later).push(waiting);
    }
    this.#waiting = later;
    return next;
  }

  async #serve(take: () => readonly Waiting<Ask, Answer>[]): Promise<void> {
    const { ledger, key, durable, lock, serve } = this.#options;
    let group: readonly Waiting<Ask, Answer>[] | undefined;
    let isUndone = false;
    let apart: readonly Waiting<Ask, Answer>[] = [];
    try {
      const work = async (tx: Tx) => {
        const locked = await lock(tx, key);
        // Who came while it waited for its connection and the lock is part of it. Run again, it serves the same.
        group ??= take();
        isUndone = true;
        const asks = group.map(({ ask }) => ask);
        const answers = await serve(tx, asks, { ledger, locked });
        isUndone = false;
        return answers;
      };
      const answers = await ledger.write(work, { durable });
      apart = settled(group ?? [], answers);
    } catch (error) {
      group ??= take();
      // Of a commit that failed nobody knows whether it was made: each is told, and nothing is done again.
      if (isUndone && group.length > 1) apart = group;
      else for (const { reject } of group) reject(error);
    }
    await Promise.all(apart.map((one) => this.#serve(() => [one])));
  }
}

/** @returns those that are to be served alone. */
function settled<Ask, Answer>(
  group: readonly Waiting<Ask, Answer>[],
  answers: readonly (Answer | typeof alone)[],
): readonly Waiting<Ask, Answer>[] {
  return group.filter(({ resolve }, index) => {
    const answer = answers[index];
    if (answer === alone) return true;
    resolve(answer as Answer); // one for each ask
    return false;
  });
}
