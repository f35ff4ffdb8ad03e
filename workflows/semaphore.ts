/** Lets in so many at a time; the others wait in the order of their coming. */
export class Semaphore {
  readonly #inside = new Set<number>();
  readonly #waiting: { readonly who: number; readonly enter: () => void }[] = [];
  #places: number;

  constructor(places: number) {
    this.#places = places;
  }

  async enter(who: number): Promise<void> {
    if (this.#inside.size < this.#places) this.#inside.add(who);
    else await new Promise<void>((enter) => this.#waiting.push({ who, enter }));
  }

  /** Whatever the places: for who holds what the others wait for. */
  enterAtOnce(who: number): void {
    this.#inside.add(who);
  }

  /** Whoever is not inside, or has left before, changes nothing by it. */
  leave(who: number): void {
    if (this.#inside.delete(who)) this.#fill();
  }

  /** Nobody has to leave where the places become fewer. */
  resize(places: number): void {
    this.#places = places;
    this.#fill();
  }

  #fill(): void {
    while (this.#inside.size < this.#places) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#inside.add(next.who);
      next.enter();
    }
  }
}
