/** How a row stands after its order: followed from here on, kept out for now, or done with. */
export interface Ordered {
  readonly rowKey: string;
  readonly outcome: 'running' | 'blocked' | 'settled';
  /** The row is due before the follower's own wake-up. */
  readonly soon: boolean;
}

export interface Ended {
  readonly rowKey: string;
  /** `archive`: it finished at the service and its files are still there; `settled`: nothing is left to do. */
  readonly next: 'archive' | 'settled';
}

export interface Ends {
  readonly ended: readonly Ended[];
  /** The last end number read: the next turn starts after it. */
  readonly seen: number;
}

/** A row that was asked for with others and has to wait, and for how long: then it is to be asked for by itself. */
export interface Later {
  readonly rowKey: string;
  readonly delayMs: number;
}

/** How a batch is cut, and how its slices stand among those of other batches. */
export interface Cut {
  readonly slices: number;
  readonly maxInFlight: number;
  readonly rowsPerSlice: number;
  /** Those with rows that are ordered and have no end, from an earlier start; histories of older versions lack it. */
  readonly begun?: readonly number[];
  readonly campaign: string;
  /** From 1 (first) to 5 (last); null where the batch does not say. */
  readonly priority: number | null;
}

/**
 * What workflows may ask for. Every one is idempotent by the ledger: it can be repeated after any crash, and what it
 * answers is what the ledger says. Arguments and answers are ids, counts and states; briefs stay in the ledger.
 */
export interface Activities {
  /** Prices the next page of rows; answers the position to go on from, or null when every row is priced. */
  preparePage(batchId: string, after: number | null): Promise<number | null>;
  /** Fixes totals and digest, and lets policy decide where it may. */
  seal(batchId: string): Promise<'waiting' | 'making' | 'closed' | 'refused' | 'canceled'>;
  /** Ends when the ledger has a decision; `stale`: the estimates are too old to decide on. */
  gate(batchId: string): Promise<'approved' | 'over' | 'stale'>;
  /** Cuts the approved rows into slices, once. */
  cutSlices(batchId: string): Promise<Cut>;
  /** The slices that have rows which are not settled. */
  openSlices(batchId: string): Promise<readonly number[]>;
  /** The rows of a slice that are not settled, and whether their orders keep to a rate. */
  openSlice(batchId: string, slice: number): Promise<{ readonly rowKeys: readonly string[]; readonly paced: boolean }>;
  /**
   * Admits rows, sends their creates side by side and records each answer. Of several rows those that have to wait are
   * answered, and are to be ordered each by itself; a single one is tried until it has an outcome.
   */
  order(
    batchId: string,
    rowKeys: readonly string[],
  ): Promise<{ readonly ordered: readonly Ordered[]; readonly later: readonly Later[] }>;
  /**
   * Ends when the ledger admits rows of this slice again; answers for how many there is room. After several refusals in
   * a row the next look is later: the room is for a row that does not ask now.
   */
  admit(batchId: string, slice: number, refusals?: number): Promise<number>;
  /** Polls the running rows of the slice; ends when some of them ended after end number `seen`. */
  follow(batchId: string, slice: number, seen: number): Promise<Ends>;
  /**
   * Downloads, verifies and publishes the files of finished movies, and settles their rows. Of several movies those
   * that cannot be saved now are answered, and are to be tried each by itself; a single one is tried until it is saved.
   */
  archive(batchId: string, rowKeys: readonly string[]): Promise<{ readonly later: readonly Later[] }>;
  /** Tells the ledger that a slice could not be replayed by the code of this worker, and is started again. */
  noteUnreplayable(batchId: string, slice: number): Promise<void>;
  /** Records a cancel of the whole batch as an intent. */
  requestCancel(batchId: string, why: string): Promise<void>;
  /** Closes the books of the batch as far as they can be closed, and writes its reports. */
  settle(batchId: string): Promise<string>;
  /** Starts what should run and does not, and looks after movies that no slice follows; answers how many it started. */
  reconcile(): Promise<number>;
}
