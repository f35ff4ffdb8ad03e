/** Two 32-bit numbers for each index from 0, in eight bytes: an object for each would take ten times that. */
export class NumberPairs {
  #numbers = new Uint32Array(1024);

  put(index: number, first: number, second: number): void {
    if (index * 2 + 2 > this.#numbers.length) {
      const longer = new Uint32Array(Math.ceil(this.#numbers.length * 1.25));
      longer.set(this.#numbers);
      this.#numbers = longer;
    }
    this.#numbers[index * 2] = first;
    this.#numbers[index * 2 + 1] = second;
  }

  first(index: number): number {
    return this.#numbers[index * 2] ?? 0;
  }

  second(index: number): number {
    return this.#numbers[index * 2 + 1] ?? 0;
  }
}
