import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '../domain/service.js';
import type { Ledger } from '../ledger/ledger.js';
import { actsSince } from '../ledger/progress/acts-since.js';
import { batchesToStart } from '../ledger/progress/orphans.js';
import type { WorkflowPort } from '../operations/workflow-port.js';

export interface WatchedActs {
  readonly ledger: Ledger;
  readonly service: Service;
  readonly workflows: Pick<WorkflowPort, 'startBatch' | 'takeUpRows' | 'resizeBatch' | 'nudgeBatch'>;
}

const pollMs = 1_000;

/** Acts after which any batch may be able to continue. */
const concernsAll = /^(budget_|policy$|reconcile_restored$)/;

/** Acts that reopen rows which their workflow has counted as settled. */
const revives = /^(resolve|refetch)$/;

/** Acts that change how many movies of a batch may be in progress. */
const changesLimits = /^limits$/;

/**
 * Wakes workflows after decisions that could not be sent to them: every open batch at the start, since no worker may
 * have run for days, and from then on those that the audit names. The command that decides also notifies them if it can
 * reach Temporal; a workflow notified twice only checks twice.
 *
 * @returns a function that ends it.
 */
export function watchActs(watched: WatchedActs): () => void {
  const stop = new AbortController();
  void (async () => {
    let seq: number | null = null;
    const toWake = new Map<string, WakeUp>();
    while (!stop.signal.aborted) {
      try {
        seq = await noteActs(watched, seq, toWake);
        await wake(watched, toWake, stop.signal);
      } catch {
        // The ledger is unavailable, and reports that itself: a later poll finds what was done.
      }
      await sleep(pollMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  })();
  return () => stop.abort();
}

/** What to tell the workflow of a batch besides to check again. */
interface WakeUp {
  /** Whether rows of it were reopened. */
  readonly takesUp: boolean;
  /** Whether its limit was changed. */
  readonly resizes: boolean;
}

/** Adds the open batches that were acted on since `seq`. @returns the number of the last act read. */
async function noteActs(
  { ledger, service }: WatchedActs,
  seq: number | null,
  toWake: Map<string, WakeUp>,
): Promise<number> {
  const acts = await actsSince(ledger, seq);
  const last = acts.at(-1);
  if (!last) return seq ?? 0;
  // Workers know what they did themselves.
  const people = acts.filter(({ channel }) => channel !== 'system');
  if (seq !== null && people.length === 0) return last.seq;
  const objects = new Set(people.map(({ object }) => object));
  const all = seq === null || people.some(({ act }) => concernsAll.test(act));
  for (const { batchId } of await batchesToStart(ledger, { service })) {
    if (!all && !objects.has(batchId)) continue;
    const wasDone = (acts: RegExp) => people.some(({ act, object }) => object === batchId && acts.test(act));
    const before = toWake.get(batchId); // not notified yet
    toWake.set(batchId, {
      takesUp: (before?.takesUp ?? false) || wasDone(revives),
      resizes: (before?.resizes ?? false) || wasDone(changesLimits),
    });
  }
  return last.seq;
}

async function wake({ workflows }: WatchedActs, toWake: Map<string, WakeUp>, signal: AbortSignal): Promise<void> {
  for (const [batchId, { takesUp, resizes }] of [...toWake]) {
    if (signal.aborted) return;
    const begin = takesUp ? workflows.takeUpRows : workflows.startBatch;
    const resize = resizes ? workflows.resizeBatch : async () => true;
    const notified = (await begin(batchId)) && (await resize(batchId)) && (await workflows.nudgeBatch(batchId));
    if (!notified) continue; // Temporal is unavailable: the next poll tries again
    toWake.delete(batchId);
  }
}
