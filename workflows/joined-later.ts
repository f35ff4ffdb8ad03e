/**
 * Work that is begun beside the main course of a workflow, at any time, and that the workflow waits for before it ends.
 * A failure is kept until then: nothing here rejects unseen.
 */
export class JoinedLater {
  readonly #going = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  begin(work: () => Promise<void>): void {
    const going = work()
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#going.delete(going));
    this.#going.add(going);
  }

  /** Resolves once nothing is going; rejects with the first failure. */
  async rest(): Promise<void> {
    while (this.#going.size > 0) await Promise.all(this.#going);
    if (this.#failure) throw this.#failure.error;
  }
}
