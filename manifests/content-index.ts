const startSlots = 4096;

/** Contents of a manifest by their digests, with the row that had each first: 12 bytes and a free slot for each. */
export class ContentIndex {
  #high = new Uint32Array(startSlots);
  #low = new Uint32Array(startSlots);
  #rows = new Uint32Array(startSlots);
  #count = 0;

  /**
   * Remembers a digest (hex), or gives the row that had it first. Compares 64 bits of it: among 1,000,000 contents two
   * different ones agree in those once in some 37 million files.
   */
  add(digest: string, row: number): number | null {
    if (this.#count * 2 >= this.#rows.length) this.#grow();
    return this.#put(Number.parseInt(digest.slice(0, 8), 16), Number.parseInt(digest.slice(8, 16), 16), row);
  }

  #put(high: number, low: number, row: number): number | null {
    const mask = this.#rows.length - 1;
    let slot = low & mask;
    // Rows count from 1: 0 is a free slot.
    while (this.#rows[slot] !== 0) {
      if (this.#high[slot] === high && this.#low[slot] === low) return this.#rows[slot] ?? null;
      slot = (slot + 1) & mask;
    }
    this.#high[slot] = high;
    this.#low[slot] = low;
    this.#rows[slot] = row;
    this.#count += 1;
    return null;
  }

  #grow(): void {
    const [highs, lows, rows] = [this.#high, this.#low, this.#rows];
    this.#high = new Uint32Array(rows.length * 2);
    this.#low = new Uint32Array(rows.length * 2);
    this.#rows = new Uint32Array(rows.length * 2);
    this.#count = 0;
    for (const [slot, row] of rows.entries()) if (row !== 0) this.#put(highs[slot] ?? 0, lows[slot] ?? 0, row);
  }
}
