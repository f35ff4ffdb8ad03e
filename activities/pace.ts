import { learnRunTimes, type RunTimes } from '../domain/run-times.js';
import { readRunTimes, sampleOf } from '../ledger/progress/run-times.js';
import type { ActivityDeps } from './deps.js';

/** What is known of the movies of a batch that decides when they are looked at. */
export interface Pace {
  readonly learned: RunTimes;
  /** Movies of the batch in progress. */
  readonly inFlight: number;
}

export type PaceOf = (batchId: string) => Promise<Pace>;

/** What was read serves all who ask within this. */
const freshMs = 500;
/** Batches that are remembered: more than are in the making at once. */
const batchesKept = 200;

interface Kept extends Pace {
  readonly atMs: number;
  readonly from: string;
}

export function createPace({ ledger, clock }: Pick<ActivityDeps, 'ledger' | 'clock'>): PaceOf {
  const kept = new Map<string, Kept>();

  async function read(batchId: string, atMs: number): Promise<Pace> {
    const known = await readRunTimes(ledger, batchId);
    const from = [known.own, ...known.others].join();
    const before = kept.get(batchId);
    const learned = before?.from === from ? before.learned : learnRunTimes(sampleOf(known));
    kept.delete(batchId);
    kept.set(batchId, { learned, inFlight: known.inFlight, atMs, from });
    const [oldest] = kept.keys();
    if (kept.size > batchesKept && oldest !== undefined) kept.delete(oldest);
    return { learned, inFlight: known.inFlight };
  }

  return async (batchId) => {
    const nowMs = clock();
    const before = kept.get(batchId);
    return before && nowMs - before.atMs < freshMs ? before : read(batchId, nowMs);
  };
}
