import { EntrySlots, Partitions, withRoom } from './entry-slots.js';

/** The contents of a manifest by digest, with the first row of each: some 18 bytes per entry. */
export class ContentIndex {
  readonly #partitions = new Partitions(() => new ContentPartition());

  /**
   * Adds a digest (hex), or returns the row that had it first. Compares 64 bits of it: among 1,000,000 contents two
   * different ones agree in those once in some 37 million files.
   */
  add(digest: string, row: number): number | null {
    const high = Number.parseInt(digest.slice(0, 8), 16);
    const low = Number.parseInt(digest.slice(8, 16), 16);
    return this.#partitions.of(high).add(high, low, row);
  }
}

class ContentPartition {
  #highs = new Uint32Array(32);
  #lows = new Uint32Array(32);
  #rows = new Uint32Array(32);
  readonly #slots = new EntrySlots((entry) => this.#lows[entry] ?? 0);

  add(high: number, low: number, row: number): number | null {
    const known = this.#slots.find(low, (entry) => this.#lows[entry] === low && this.#highs[entry] === high);
    if (known !== -1) return this.#rows[known] ?? null;
    const { count } = this.#slots;
    this.#highs = withRoom(this.#highs, count);
    this.#lows = withRoom(this.#lows, count);
    this.#rows = withRoom(this.#rows, count);
    this.#highs[count] = high;
    this.#lows[count] = low;
    this.#rows[count] = row;
    this.#slots.add(low);
    return null;
  }
}
