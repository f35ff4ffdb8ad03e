/** What was opened, to be released in reverse order: once, each of it, even where one cannot be. */
export class Releases {
  #list: (() => Promise<unknown> | unknown)[] = [];

  add(release: () => Promise<unknown> | unknown): void {
    this.#list.push(release);
  }

  /** @throws what the first that could not be released threw, after the others were. */
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

  /** Gives what `open` opens; where that fails, releases what it had opened so far, and throws why it failed. */
  async whole<Opened>(open: () => Promise<Opened>): Promise<Opened> {
    try {
      return await open();
    } catch (error) {
      await this.all().catch(() => undefined); // why it failed says more than what followed of it
      throw error;
    }
  }
}
