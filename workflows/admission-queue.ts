import { Trigger } from '@temporalio/workflow';
import { RestartableWait } from './restartable-wait.js';

/**
 * Rows that may not be ordered yet wait here, behind one activity. It answers for how many there is room; so many go
 * on, in the order they came, and the rest keep waiting: a full house is not asked again by every row at once.
 */
export class AdmissionQueue {
  readonly #queue: Trigger<void>[] = [];
  readonly #admit: RestartableWait<[refusals: number], number>;
  #opening: Promise<void> | undefined;
  #refusals = 0;

  /** @param admit is told how many rows in a row went on and were refused: the room was for another. */
  constructor(admit: (refusals: number) => Promise<number>) {
    this.#admit = new RestartableWait(admit);
  }

  async open(): Promise<void> {
    const turn = new Trigger<void>();
    this.#queue.push(turn);
    this.#opening ??= this.#serve();
    await Promise.race([turn, this.#opening.then(() => turn)]);
  }

  /** What became of a row that went on. */
  heard(refused: boolean): void {
    this.#refusals = refused ? this.#refusals + 1 : 0;
  }

  /** Asks the ledger now. */
  look(): void {
    this.#refusals = 0;
    this.#admit.look();
  }

  async #serve(): Promise<void> {
    try {
      while (this.#queue.length > 0) {
        // Nudged: let one row ask `order` itself, which knows also what ends a row (its cancel).
        const room = (await this.#admit.turn(this.#refusals)) ?? this.#queue.length;
        for (const turn of this.#queue.splice(0, Math.max(room, 1))) turn.resolve();
      }
    } finally {
      // In the same step as the last look at the queue: a row that comes a step later must start another.
      this.#opening = undefined;
    }
  }
}
