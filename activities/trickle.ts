import { setTimeout as sleep } from 'node:timers/promises';
import { endsAfter, someWait } from '../ledger/progress/due-rows.js';
import type { ActivityDeps } from './deps.js';
import type { Save } from './saver.js';

/** So many ends are worth an answer of their own: the slice saves them together. */
const endsTogether = 25;
/** Whatever is not saved so long after the last look is left to the slice, which tries until it is. */
const savingMs = 3_000;
const lookEveryMs = 250;

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
 * Movies that end one by one would cost the slice two turns each. Where none of its rows waits for a place, they are
 * saved here as they end, and the slice hears of them together.
 */
export async function saveTrickle({ ledger, pacing }: ActivityDeps, trickle: Trickle): Promise<void> {
  const { batchId, signal, save, look } = trickle;
  const untilMs = performance.now() + pacing.trickleMs;
  const saving = new Map<string, Promise<unknown>>();
  for (;;) {
    const { ended, running } = await endsAfter(ledger, trickle);
    const goesOn = running > 0 && ended.length < endsTogether && performance.now() < untilMs;
    if (!goesOn || (await someWait(ledger, trickle))) break;
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
  const enough = sleep(savingMs, undefined, { signal: AbortSignal.any([signal, given.signal]) }).catch(() => undefined);
  await Promise.race([Promise.all(saving.values()), enough]);
  given.abort();
  signal.throwIfAborted();
}
