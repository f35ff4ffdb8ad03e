import { CancellationScope } from '@temporalio/workflow';

/**
 * One activity that waits by reading the ledger, and that can be made to look at once: the running attempt is
 * cancelled and a fresh one starts. Nothing is lost by that, since its answer comes from the ledger.
 */
export class RestartableWait<Args extends readonly unknown[], Answer> {
  readonly #ask: (...args: Args) => Promise<Answer>;
  #turn: CancellationScope | undefined;

  constructor(ask: (...args: Args) => Promise<Answer>) {
    this.#ask = ask;
  }

  /** @returns the activity's answer, or undefined when the turn was cut short by `look`. */
  async turn(...args: Args): Promise<Answer | undefined> {
    const turn = new CancellationScope();
    this.#turn = turn;
    try {
      return await turn.run(() => this.#ask(...args));
    } catch (error) {
      if (turn.consideredCancelled) return undefined;
      throw error;
    } finally {
      if (this.#turn === turn) this.#turn = undefined;
    }
  }

  look(): void {
    this.#turn?.cancel();
  }
}
