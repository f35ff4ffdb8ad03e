interface Piece<Item, Answer> {
  readonly items: Item[];
  readonly answer: Promise<Answer>;
}

/**
 * Gathers what is asked for at one moment into one piece of work: rows that come to a step together take it by one
 * activity instead of one each. Items keep the order of the asking, so a replay gathers the same.
 */
export class Coalescer<Item, Answer> {
  readonly #most: number;
  readonly #work: (items: readonly Item[]) => Promise<Answer>;
  #gathering: Piece<Item, Answer> | undefined;

  /** @param most items of one piece. */
  constructor(most: number, work: (items: readonly Item[]) => Promise<Answer>) {
    this.#most = most;
    this.#work = work;
  }

  /** @returns the answer to the piece that the item is in. */
  of(item: Item): Promise<Answer> {
    const piece = this.#gathering ?? this.#begin();
    piece.items.push(item);
    if (piece.items.length === this.#most) this.#gathering = undefined;
    return piece.answer;
  }

  #begin(): Piece<Item, Answer> {
    const items: Item[] = [];
    // A step later: whoever was woken by the same answer has its say first.
    const answer = Promise.resolve().then(() => {
      if (this.#gathering?.items === items) this.#gathering = undefined;
      return this.#work(items);
    });
    this.#gathering = { items, answer };
    return this.#gathering;
  }
}
