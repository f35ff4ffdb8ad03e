import { randomInt } from 'node:crypto';

export interface Occurrence {
  readonly key: string;
  readonly row: number;
  readonly line: number | null;
}

/** The smallest table worth making. Always a power of two, so that a mask takes the remainder. */
const startSlots = 4096;

/**
 * Every id of a manifest with the place where it was first seen, case aside: 1,000,000 ids in some 40 MB, where a Map
 * of strings takes four times that. The ids' bytes lie one behind another; a table of open addressing finds them.
 */
export class RowKeyIndex {
  #slots = new Int32Array(startSlots).fill(-1);
  #bytes = Buffer.alloc(64 * 1024);
  #used = 0;
  #count = 0;
  #ends = new Uint32Array(startSlots / 2);
  #rows = new Uint32Array(startSlots / 2);
  #lines = new Uint32Array(startSlots / 2);
  /** Another one each time, so that no file can be made of ids that all fall on one slot. */
  readonly #seed = randomInt(2 ** 32);

  /** Remembers an id of plain letters (row-key.ts), or tells where the same was seen before. */
  add({ key, row, line }: Occurrence): Occurrence | null {
    if (this.#count * 2 >= this.#slots.length) this.#grow();
    const folded = key.toLowerCase();
    let slot = hashOf(folded, this.#seed) & (this.#slots.length - 1);
    for (let entry = this.#slots[slot] ?? -1; entry !== -1; entry = this.#slots[slot] ?? -1) {
      const known = this.#keyOf(entry);
      if (known.toLowerCase() === folded) {
        return { key: known, row: this.#rows[entry] ?? 0, line: this.#lines[entry] || null };
      }
      slot = (slot + 1) & (this.#slots.length - 1);
    }
    this.#slots[slot] = this.#count;
    this.#append(key, row, line ?? 0);
    return null;
  }

  #keyOf(entry: number): string {
    return this.#bytes.toString('latin1', entry === 0 ? 0 : this.#ends[entry - 1], this.#ends[entry]);
  }

  #append(key: string, row: number, line: number): void {
    if (this.#used + key.length > this.#bytes.length) {
      // By half: while it is copied, both are held.
      const larger = Buffer.allocUnsafe(Math.ceil(this.#bytes.length * 1.5));
      this.#bytes.copy(larger);
      this.#bytes = larger;
    }
    this.#used += this.#bytes.write(key, this.#used, 'latin1');
    this.#ends[this.#count] = this.#used;
    this.#rows[this.#count] = row;
    this.#lines[this.#count] = line;
    this.#count += 1;
  }

  #grow(): void {
    const size = this.#slots.length * 2;
    this.#slots = new Int32Array(size).fill(-1);
    this.#ends = resized(this.#ends, size / 2);
    this.#rows = resized(this.#rows, size / 2);
    this.#lines = resized(this.#lines, size / 2);
    for (let entry = 0; entry < this.#count; entry += 1) {
      let slot = hashOf(this.#keyOf(entry).toLowerCase(), this.#seed) & (size - 1);
      while (this.#slots[slot] !== -1) slot = (slot + 1) & (size - 1);
      this.#slots[slot] = entry;
    }
  }
}

function resized(from: Uint32Array<ArrayBuffer>, size: number): Uint32Array<ArrayBuffer> {
  const to = new Uint32Array(size);
  to.set(from);
  return to;
}

/** FNV-1a from another start. */
function hashOf(text: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  // The low bits take part of the high ones.
  return (hash ^ (hash >>> 15)) >>> 0;
}
