import { setTimeout as sleep } from 'node:timers/promises';
import { listBatches } from '../../ledger/batches/batches.js';
import type { Ledger } from '../../ledger/ledger.js';
import { noteNoWorker, noteWorkersBack } from '../../ledger/notices/reminders.js';

export interface WorkerWatch {
  readonly ledger: Ledger;
  readonly clock: () => number;
  /** Null when Temporal is unavailable: then the number is unknown, not zero. */
  readonly countWorkers: () => Promise<number | null>;
}

export interface WatchPace {
  readonly lookMs: number;
  readonly patienceMs: number;
}

const usualPace: WatchPace = { lookMs: 30_000, patienceMs: 5 * 60_000 };

/**
 * Notifies people when batches have waited five minutes without any worker, once until there is one again. For programs
 * that run without a worker.
 *
 * @returns a function that ends it.
 */
export function watchWorkers(watch: WorkerWatch, pace = usualPace): () => Promise<void> {
  const stop = new AbortController();
  const { signal } = stop;
  const loop = keepLooking(watch, pace, signal);
  return () => {
    stop.abort();
    return loop;
  };
}

async function keepLooking(watch: WorkerWatch, pace: WatchPace, signal: AbortSignal): Promise<void> {
  let sinceMs: number | null = null;
  while (!signal.aborted) {
    // Anything that is unavailable now is reported elsewhere, and checked again.
    sinceMs = await look(watch, pace, sinceMs).catch(() => sinceMs);
    await sleep(pace.lookMs, undefined, { signal }).catch(() => undefined);
  }
}

/** @returns since when no worker was seen; null when there is one, or nothing waits for one */
async function look({ ledger, clock, countWorkers }: WorkerWatch, { patienceMs }: WatchPace, sinceMs: number | null) {
  const waiting = await listBatches(ledger, { states: ['preparing', 'making'], limit: 1 });
  const workers = waiting.length === 0 ? null : await countWorkers();
  if (workers === null) return waiting.length === 0 ? null : sinceMs;
  if (workers > 0) {
    await noteWorkersBack(ledger);
    return null;
  }
  const nowMs = clock();
  const since = sinceMs ?? nowMs;
  if (nowMs - since >= patienceMs) await noteNoWorker(ledger, { sinceMs: since, nowMs });
  return since;
}
