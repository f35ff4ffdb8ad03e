import { setTimeout as sleep } from 'node:timers/promises';
import { endsAfter, type SliceEnd, someWait } from '../ledger/progress/due-rows.js';
import type { ActivityDeps } from './deps.js';
import type { Save } from './saver.js';

/** So many ends are worth an answer of their own: the slice saves them together. */
const endsTogether = 25;
/** Whatever is not saved so long after the last look is left to the slice, which tries until it is. */
const savingMs = 3_000;
const lookEveryMs = 250;
/** Of the movies' own time on average, while rows wait for their places. */
const placeKept = 0.06;

interface Trickle {
  readonly batchId: string;
  readonly slice: number;
  readonly seen: number;
  readonly save: Save;
  /** Asks the service about the rows that are due. */
  readonly look: () => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Movies that end one by one would cost the slice two turns each. They are saved here as they end, and the slice hears
 * of them together: after a while, or, where rows wait for their places, so soon that ended movies keep these for 6 %
 * more than their own time. However long movies take, that is well within the time limit of an attempt.
 */
export async function saveTrickle({ ledger, pacing }: ActivityDeps, trickle: Trickle): Promise<void> {
  const { batchId, signal, save, look } = trickle;
  const startedMs = performance.now();
  const saving = new Map<string, Promise<unknown>>();
  let keptMs = pacing.trickleMs;
  for (;;) {
    const { ended, running } = await endsAfter(ledger, trickle);
    if (running === 0 || ended.length >= endsTogether) break;
    const placesMs = (await someWait(ledger, trickle)) ? placeKept * averageMsOf(ended) : Number.POSITIVE_INFINITY;
    keptMs = Math.min(placesMs, pacing.trickleMs);
    if (performance.now() - startedMs + lookEveryMs > keptMs) break;
    for (const { rowKey, state } of ended) {
      if (state !== 'completed' || saving.has(rowKey)) continue;
      // What fails is an alarm by now, or shows itself to the slice: the row is still to be saved.
      const saved = save(batchId, rowKey, signal).catch(() => undefined);
      saving.set(rowKey, saved);
    }
    await sleep(lookEveryMs, undefined, { signal });
    await look();
  }
  if (saving.size === 0) return;
  const given = new AbortController();
  const enough = sleep(Math.min(savingMs, keptMs), undefined, {
    signal: AbortSignal.any([signal, given.signal]),
  }).catch(() => undefined);
  await Promise.race([Promise.all(saving.values()), enough]);
  given.abort();
  signal.throwIfAborted();
}

function averageMsOf(ended: readonly SliceEnd[]): number {
  return ended.reduce((sum, { tookMs }) => sum + (tookMs ?? 0), 0) / ended.length;
}
