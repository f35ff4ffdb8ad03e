import type { Later } from './activities.js';
import { notReady, type Waiting, waitMs } from './failures.js';

/** A fault that nobody foresaw shows itself at the next attempt, when the row is by itself. */
const unforeseenMs = 1_000;

/**
 * Serves rows that were asked for together, each for itself: one that has to wait, or meets a fault that nobody foresaw,
 * is answered as `later` and holds up no other. A row that is alone is tried until it is served.
 *
 * @param serve answers with what came of the row, or with what it waits for.
 * @throws ApplicationFailure "NotReady" where the only row has to wait; what `serve` throws for the only row; the
 * signal's reason.
 */
export async function concurrently<Done>(
  rowKeys: readonly string[],
  signal: AbortSignal,
  serve: (rowKey: string) => Promise<Done | Waiting>,
): Promise<{ readonly done: readonly Done[]; readonly later: readonly Later[] }> {
  const [first, ...others] = rowKeys;
  if (first !== undefined && others.length === 0) {
    const served = await serve(first);
    if (isWaiting(served)) throw notReady(served.for, served.delayMs);
    return { done: [served], later: [] };
  }
  const served = await Promise.all(rowKeys.map((rowKey) => amongOthers(rowKey, serve)));
  signal.throwIfAborted(); // now that all have stopped: whoever tries again finds nobody at these rows
  return {
    done: served.flatMap((one) => ('done' in one ? [one.done] : [])),
    later: served.flatMap((one) => ('later' in one ? [one.later] : [])),
  };
}

async function amongOthers<Done>(
  rowKey: string,
  serve: (rowKey: string) => Promise<Done | Waiting>,
): Promise<{ readonly done: Done } | { readonly later: Later }> {
  try {
    const served = await serve(rowKey);
    return isWaiting(served) ? { later: { rowKey, delayMs: waitMs(served.delayMs) } } : { done: served };
  } catch {
    return { later: { rowKey, delayMs: unforeseenMs } };
  }
}

function isWaiting(served: unknown): served is Waiting {
  return typeof served === 'object' && served !== null && 'for' in served;
}
