/** Collects what was opened and releases it in reverse order: each once, even when one of them fails. */
export class Releases {
  #list: (() => Promise<unknown> | unknown)[] = [];

  add(release: () => Promise<unknown> | unknown): void {
    this.#list.push(release);
  }

  /** @throws the first error, after the others were released. */
  async all(): Promise<void> {
    const failures: unknown[] = [];
    for (const release of this.#list.splice(0).reverse()) {
      try {
        await release();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Returns what `open` opens; if that fails, releases what it had opened so far and throws the reason. */
  async whole<Opened>(open: () => Promise<Opened>): Promise<Opened> {
    try {
      return await open();
    } catch (error) {
      await this.all().catch(() => undefined); // the reason says more than its consequences
      throw error;
    }
  }
}
