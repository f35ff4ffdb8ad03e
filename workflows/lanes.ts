/** Work side by side, so many at a time. How many may change meanwhile: what is under way is never cut short. */
export class Lanes {
  #width: number;
  readonly #runs = new Set<() => void>();

  constructor(width: number) {
    this.#width = width;
  }

  /** Where they may be more, more begin at once; where fewer, a lane ends with the work that it has. */
  resize(width: number): void {
    this.#width = width;
    for (const fill of this.#runs) fill();
  }

  /** Runs `work` over the items in order; rejects with the first failure. */
  async run<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
    let next = 0;
    let open = 0;
    const lane = async () => {
      while (next < items.length && open <= this.#width) {
        next += 1;
        await work(items[next - 1] as T); // within the list
      }
      open -= 1;
    };
    const lanes: Promise<void>[] = [];
    const fill = () => {
      while (next < items.length && open < this.#width) {
        open += 1;
        lanes.push(lane());
      }
    };
    fill();
    this.#runs.add(fill);
    try {
      // Those that were added meanwhile are waited for too.
      for (let waited = 0; waited < lanes.length;) {
        waited = lanes.length;
        await Promise.all(lanes);
      }
    } finally {
      this.#runs.delete(fill);
    }
  }
}
