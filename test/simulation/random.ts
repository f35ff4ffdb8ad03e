/** A source of numbers that gives the same ones for the same seed and name, on every machine. */
export interface Random {
  /** From 0 up to, and without, 1. */
  next(): number;
  /** A whole number from 0 up to, and without, `count`. */
  below(count: number): number;
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number;
  chance(probability: number): boolean;
  /** @throws RangeError for an empty list. */
  pick<T>(items: readonly T[]): T;
}

/** @param stream what the numbers are for: one more draw for faults must not move every draw of the order of steps. */
export function seeded(seed: number, stream: string): Random {
  let state = hash(`${stream} ${seed}`);
  const next = () => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (count: number) => Math.floor(next() * count);
  return {
    next,
    below,
    between: (least, most) => least + below(most - least + 1),
    chance: (probability) => next() < probability,
    pick(items) {
      const item = items[below(items.length)];
      if (item === undefined) throw new RangeError('Cannot pick from an empty list');
      return item;
    },
  };
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value;
}
