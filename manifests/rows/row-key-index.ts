import { NumberPairs } from './number-pairs.js';

export interface Occurrence {
  readonly key: string;
  readonly row: number;
  readonly line: number | null;
}

/** Every id of a manifest, ignoring case, with the place where it first occurs. */
export class RowKeyIndex {
  /** The number of an id's place, by the id in lower case. */
  readonly #numbers = new Map<string, number>();
  /** Row and line; 0 for no line. */
  readonly #places = new NumberPairs();
  /** Ids that are not written in lower case, by the number of their place. */
  readonly #spelled = new Map<number, string>();

  /** Adds an id (row-key.ts: at most 64 plain characters), or returns where the same one occurred before. */
  add({ key, row, line }: Occurrence): Occurrence | null {
    const folded = key.toLowerCase();
    const known = this.#numbers.get(folded);
    if (known !== undefined) {
      const first = this.#spelled.get(known) ?? folded;
      return { key: first, row: this.#places.first(known), line: this.#places.second(known) || null };
    }
    const number = this.#numbers.size;
    this.#numbers.set(folded, number);
    if (folded !== key) this.#spelled.set(number, key);
    this.#places.put(number, row, line ?? 0);
    return null;
  }
}
