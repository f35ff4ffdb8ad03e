import type { Random } from './random.js';

/** Something that went wrong, or that a person did, in the order of the drawing. */
export interface Fault {
  /** Counts the draws: names the fault when its seed runs again. */
  readonly number: number;
  readonly kind: string;
  readonly where: string;
}

/**
 * Draws what goes wrong. Every draw takes the same numbers whether it hits or not, so that a seed can be run again with
 * some of its faults only.
 */
export class Faults {
  readonly happened: Fault[] = [];
  readonly #random: Random;
  readonly #only: ReadonlySet<number> | null;
  #draws = 0;
  calm = false;

  /** @param only the faults that may happen; null for all. */
  constructor(random: Random, only: readonly number[] | null) {
    this.#random = random;
    this.#only = only && new Set(only);
  }

  /** @returns the kind that happens now, or null. A kind that is listed twice is twice as likely. */
  draw<Kind extends string>(probability: number, kinds: readonly Kind[], where: string): Kind | null {
    const number = this.#draws;
    this.#draws += 1;
    const [hit, kind] = [this.#random.chance(probability), this.#random.pick(kinds)];
    if (!hit || this.calm || (this.#only !== null && !this.#only.has(number))) return null;
    this.happened.push({ number, kind, where });
    return kind;
  }

  /** For what a fault is like. */
  get random(): Random {
    return this.#random;
  }
}
