/**
 * Finds the entries of a list by their hashes: open addressing, a power of two of slots, at most three in four taken.
 * A slot is 2 bytes while the list is short enough, 4 after that, and holds the entry's number plus one: 0 is free.
 */
export class EntrySlots {
  #slots: Uint16Array | Uint32Array = new Uint16Array(64);
  #count = 0;
  readonly #hashOf: (entry: number) => number;

  /** @param hashOf called for every entry whenever the slots grow */
  constructor(hashOf: (entry: number) => number) {
    this.#hashOf = hashOf;
  }

  /** How many entries there are, which is the number of the next. */
  get count(): number {
    return this.#count;
  }

  /** The entry with this hash that `isIt` accepts, or -1. */
  find(hash: number, isIt: (entry: number) => boolean): number {
    for (let slot = this.#first(hash); ; slot = this.#after(slot)) {
      const entry = (this.#slots[slot] ?? 0) - 1;
      if (entry === -1 || isIt(entry)) return entry;
    }
  }

  /** Adds the next entry. */
  add(hash: number): void {
    if ((this.#count + 1) * 4 > this.#slots.length * 3) this.#grow();
    this.#count += 1;
    this.#put(hash, this.#count);
  }

  #put(hash: number, value: number): void {
    let slot = this.#first(hash);
    while (this.#slots[slot] !== 0) slot = this.#after(slot);
    this.#slots[slot] = value;
  }

  #first(hash: number): number {
    return hash & (this.#slots.length - 1);
  }

  #after(slot: number): number {
    return (slot + 1) & (this.#slots.length - 1);
  }

  #grow(): void {
    const size = this.#slots.length * 2;
    this.#slots = size > 2 ** 16 ? new Uint32Array(size) : new Uint16Array(size);
    for (let value = 1; value <= this.#count; value += 1) this.#put(this.#hashOf(value - 1), value);
  }
}

const partitionCount = 256;

/**
 * 256 small tables instead of a large one. Each grows by itself, so that only a small one is ever held twice, and by a
 * quarter, so that little memory is wasted. A partition is made when the first hash falls on it.
 */
export class Partitions<Partition> {
  readonly #partitions: (Partition | undefined)[] = Array.from({ length: partitionCount });
  readonly #make: () => Partition;

  constructor(make: () => Partition) {
    this.#make = make;
  }

  /** By the upper bits of a hash of 32: the lower ones find the slot. */
  of(hash: number): Partition {
    const index = hash >>> 24;
    const partition = this.#partitions[index] ?? this.#make();
    this.#partitions[index] = partition;
    return partition;
  }
}

/** Makes room for one more number: returns the same list, or one longer by a quarter. */
export function withRoom(list: Uint32Array<ArrayBuffer>, count: number): Uint32Array<ArrayBuffer> {
  if (count < list.length) return list;
  const longer = new Uint32Array(Math.ceil(list.length * 1.25));
  longer.set(list);
  return longer;
}
