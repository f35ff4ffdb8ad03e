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

const lookEveryMs = 1_000;

/** Acts after which any batch may be free to go on. */
const concernsAll = /^(budget_|policy$|reconcile_restored$)/;

/** Acts by which rows come back to life that their workflow has counted as settled. */
const revives = /^(resolve|refetch)$/;

/** Acts after which more or fewer of its movies may be in progress. */
const changesLimits = /^limits$/;

/**
 * Wakes workflows for what was decided while nobody could tell them: everything open at the start, since nobody may
 * have worked for days, and from then on what the audit says was done. Whoever decides tells them too, where Temporal
 * can be reached from there; told twice, they look twice.
 *
 * @returns what ends it.
 */
export function watchActs(watched: WatchedActs): () => void {
  const stop = new AbortController();
  void (async () => {
    let seq: number | null = null;
    const toWake = new Map<string, Awakening>();
    while (!stop.signal.aborted) {
      try {
        seq = await noteActs(watched, seq, toWake);
        await wake(watched, toWake, stop.signal);
      } catch {
        // The ledger is away, and says so itself: what was done is found at a later look.
      }
      await sleep(lookEveryMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  })();
  return () => stop.abort();
}

/** What the workflow of a batch is to be told besides to look again. */
interface Awakening {
  /** Rows of it came back to life. */
  readonly takesUp: boolean;
  /** Its limit was changed. */
  readonly resizes: boolean;
}

/** Adds the open batches that were acted on since `seq`. @returns the last act that was seen. */
async function noteActs(
  { ledger, service }: WatchedActs,
  seq: number | null,
  toWake: Map<string, Awakening>,
): Promise<number> {
  const acts = await actsSince(ledger, seq);
  const last = acts.at(-1);
  if (!last) return seq ?? 0;
  // What the workers did themselves, they know.
  const people = acts.filter(({ channel }) => channel !== 'system');
  if (seq !== null && people.length === 0) return last.seq;
  const objects = new Set(people.map(({ object }) => object));
  const all = seq === null || people.some(({ act }) => concernsAll.test(act));
  for (const { batchId } of await batchesToStart(ledger, { service })) {
    if (!all && !objects.has(batchId)) continue;
    const wasDone = (acts: RegExp) => people.some(({ act, object }) => object === batchId && acts.test(act));
    const before = toWake.get(batchId); // not told yet
    toWake.set(batchId, {
      takesUp: (before?.takesUp ?? false) || wasDone(revives),
      resizes: (before?.resizes ?? false) || wasDone(changesLimits),
    });
  }
  return last.seq;
}

async function wake({ workflows }: WatchedActs, toWake: Map<string, Awakening>, signal: AbortSignal): Promise<void> {
  for (const [batchId, { takesUp, resizes }] of [...toWake]) {
    if (signal.aborted) return;
    const begin = takesUp ? workflows.takeUpRows : workflows.startBatch;
    const resize = resizes ? workflows.resizeBatch : async () => true;
    const told = (await begin(batchId)) && (await resize(batchId)) && (await workflows.nudgeBatch(batchId));
    if (!told) continue; // Temporal is away, and it is told at the next look
    toWake.delete(batchId);
  }
}
