import { AsyncLocalStorage } from 'node:async_hooks';

/** A process of the product: what waits in it is gone when it dies. */
export interface Process {
  readonly name: string;
  alive: boolean;
}

/**
 * Where a process stands between two steps of its own: before a commit and after it, before a request and after it,
 * before its report to Temporal. What it does between two gates is one step to everybody else.
 */
export interface Gate {
  readonly kind: 'write' | 'committed' | 'request' | 'answer' | 'disk' | 'report' | 'temporal';
  readonly label: string;
  readonly process: Process;
}

/** Whether a gate was opened in its turn, or because whoever stands there would not wait any longer. */
export type Opened = 'turn' | 'expired';

export interface Parked extends Gate {
  /** From then on it may expire. */
  readonly expiresMs: number;
  readonly open: (how: Opened) => void;
}

/** Real work behind a gate, which takes turns of the event loop. */
interface Work {
  /** Gates that it stands at. */
  parked: number;
  done: boolean;
}

/** One for all worlds of this process: Node asks every one that there ever was at each promise. */
const own = new AsyncLocalStorage<Work | null>();

/**
 * Holds every process at its gates, and lets through whom the scheduler chooses. Real work behind a gate (a commit, a
 * file) is known, so that the scheduler hears when everybody stands at a gate again: nothing here sleeps.
 */
export class Gates {
  readonly #parked: Parked[] = [];
  readonly #works = new Set<Work>();
  #whenIdle: (() => void) | null = null;

  /** Stands at a gate until it is opened: for ever, where the process is dead. */
  park(gate: Gate, expiresMs = Number.POSITIVE_INFINITY): Promise<Opened> {
    const work = own.getStore();
    if (work) work.parked += 1;
    this.#tellIdle();
    return new Promise((resolve) => {
      const open = (how: Opened) => {
        if (work) work.parked -= 1;
        resolve(how);
      };
      if (gate.process.alive) this.#parked.push({ ...gate, expiresMs, open });
    });
  }

  /** Does what takes turns of the event loop, and may stand at further gates on its way. */
  async work<T>(doing: () => Promise<T>): Promise<T> {
    const around = own.getStore();
    if (around && !around.done) return doing();
    const work: Work = { parked: 0, done: false };
    this.#works.add(work);
    try {
      return await own.run(work, doing);
    } finally {
      work.done = true;
      this.#works.delete(work);
      this.#tellIdle();
    }
  }

  /** Begins what goes on by itself, whatever becomes of whoever began it. */
  apart(doing: () => Promise<unknown>): void {
    void own.run(null, doing);
  }

  get parked(): readonly Parked[] {
    return this.#parked;
  }

  open(gate: Parked, how: Opened = 'turn'): void {
    this.#parked.splice(this.#parked.indexOf(gate), 1);
    gate.open(how);
  }

  /** Forgets whoever stands at these gates. */
  drop(gates: readonly Parked[]): void {
    for (const gate of gates) this.#parked.splice(this.#parked.indexOf(gate), 1);
  }

  /** Resolves when everybody stands at a gate, or has nothing to do. */
  async settled(): Promise<void> {
    do {
      if (this.#isBusy) {
        await new Promise<void>((resolve) => {
          this.#whenIdle = resolve;
        });
      }
      await new Promise<void>((resolve) => {
        setImmediate(resolve);
      });
    } while (this.#isBusy);
  }

  get #isBusy(): boolean {
    for (const { parked } of this.#works) if (parked === 0) return true;
    return false;
  }

  #tellIdle(): void {
    if (this.#whenIdle === null || this.#isBusy) return;
    this.#whenIdle();
    this.#whenIdle = null;
  }
}
