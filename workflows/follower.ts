import { Trigger } from '@temporalio/workflow';
import type { Ended, Ends } from '../activities/activities.js';
import { RestartableWait } from './restartable-wait.js';

interface Waiting {
  readonly resolve: (ended: Ended) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Watches all running rows of a slice with one activity. The ledger numbers the ends of a slice, and `seen` is how far
 * we have read: a cancelled attempt or a lost answer loses nothing, the next turn reads on from there.
 */
export class Follower {
  readonly #waiting = new Map<string, Waiting>();
  readonly #ends = new Map<string, Ended>();
  readonly #follow: RestartableWait<[seen: number], Ends>;
  // oxlint-disable-next-line no-unused-private-class-members -- `??=` reads it
  #turning: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;
  #idle: Trigger<void> | undefined;
  #seen = 0;

  constructor(follow: (seen: number) => Promise<Ends>) {
    this.#follow = new RestartableWait(follow);
  }

  /**
   * Resolves when the row has ended. Rejects when the follower fails for good: that fails the slice, which the batch
   * starts again.
   *
   * Bare promises: every promise of a workflow costs a stack trace, and the SDK's own Trigger makes three.
   */
  end(rowKey: string): Promise<Ended> {
    if (this.#failure) return Promise.reject(this.#failure.error);
    const known = this.#ends.get(rowKey); // the follower may be faster than the order's own answer
    if (known) {
      // A row that comes back to life ends a second time.
      this.#ends.delete(rowKey);
      return Promise.resolve(known);
    }
    const end = new Promise<Ended>((resolve, reject) => this.#waiting.set(rowKey, { resolve, reject }));
    this.#idle?.resolve();
    this.#turning ??= this.#turns().catch((error: unknown) => this.#fail(error));
    return end;
  }

  /** Looks at the ledger now. */
  look(): void {
    this.#follow.look();
  }

  #fail(error: unknown): void {
    this.#failure = { error };
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  async #turns(): Promise<never> {
    for (;;) {
      if (this.#waiting.size === 0) {
        this.#idle = new Trigger<void>();
        await this.#idle;
        this.#idle = undefined;
      }
      const answer = await this.#follow.turn(this.#seen);
      if (!answer) continue;
      this.#seen = answer.seen;
      for (const ended of answer.ended) {
        const waiting = this.#waiting.get(ended.rowKey);
        if (!waiting) this.#ends.set(ended.rowKey, ended);
        waiting?.resolve(ended);
        this.#waiting.delete(ended.rowKey);
      }
    }
  }
}
