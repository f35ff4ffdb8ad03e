import { randomInt } from 'node:crypto';
import { EntrySlots, Partitions, withRoom } from './entry-slots.js';

export interface Occurrence {
  readonly key: string;
  readonly row: number;
  readonly line: number | null;
}

/**
 * Every id of a manifest with the place where it was first seen, case aside: 1,000,000 ids in some 30 MB, where a Map
 * of strings takes five times that.
 */
export class RowKeyIndex {
  readonly #partitions = new Partitions(() => new RowKeyPartition(this.#seed));
  /** Another one each time, so that no file can be made of ids that all fall on one slot. */
  readonly #seed = randomInt(2 ** 32);
  readonly #folded = Buffer.alloc(64);

  /** Remembers an id (row-key.ts: at most 64 plain characters), or tells where the same was seen before. */
  add(occurrence: Occurrence): Occurrence | null {
    const { key } = occurrence;
    for (let index = 0; index < key.length; index += 1) this.#folded[index] = folded(key.charCodeAt(index));
    const hash = hashOf(this.#folded, 0, key.length, this.#seed);
    return this.#partitions.of(hash).add(occurrence, this.#folded, hash);
  }
}

/** The ids' bytes lie one behind another. */
class RowKeyPartition {
  #bytes = Buffer.alloc(512);
  #ends = new Uint32Array(32);
  #rows = new Uint32Array(32);
  #lines = new Uint32Array(32);
  readonly #slots: EntrySlots;

  constructor(seed: number) {
    this.#slots = new EntrySlots((entry) => hashOf(this.#bytes, this.#start(entry), this.#ends[entry] ?? 0, seed));
  }

  add({ key, row, line }: Occurrence, wanted: Buffer, hash: number): Occurrence | null {
    const known = this.#slots.find(hash, (entry) => this.#isOf(entry, wanted, key.length));
    if (known !== -1) {
      const first = this.#bytes.toString('latin1', this.#start(known), this.#ends[known]);
      return { key: first, row: this.#rows[known] ?? 0, line: this.#lines[known] || null };
    }
    this.#append(key, row, line ?? 0);
    this.#slots.add(hash);
    return null;
  }

  #start(entry: number): number {
    return entry === 0 ? 0 : (this.#ends[entry - 1] ?? 0);
  }

  #isOf(entry: number, wanted: Buffer, length: number): boolean {
    const start = this.#start(entry);
    if ((this.#ends[entry] ?? 0) - start !== length) return false;
    for (let index = 0; index < length; index += 1) {
      if (folded(this.#bytes[start + index] ?? 0) !== wanted[index]) return false;
    }
    return true;
  }

  #append(key: string, row: number, line: number): void {
    const { count } = this.#slots;
    const start = this.#start(count);
    if (start + key.length > this.#bytes.length) {
      const longer = Buffer.alloc(Math.ceil(this.#bytes.length * 1.25) + key.length);
      this.#bytes.copy(longer);
      this.#bytes = longer;
    }
    this.#ends = withRoom(this.#ends, count);
    this.#rows = withRoom(this.#rows, count);
    this.#lines = withRoom(this.#lines, count);
    this.#ends[count] = start + this.#bytes.write(key, start, 'latin1');
    this.#rows[count] = row;
    this.#lines[count] = line;
  }
}

/** A letter's code without its case. */
function folded(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

/** FNV-1a from another start, case aside. */
function hashOf(bytes: Buffer, start: number, end: number, seed: number): number {
  let hash = seed;
  for (let index = start; index < end; index += 1) {
    hash = Math.imul(hash ^ folded(bytes[index] ?? 0), 0x01000193);
  }
  // The low bits take part of the high ones.
  return (hash ^ (hash >>> 15)) >>> 0;
}
