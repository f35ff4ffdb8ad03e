import { CancellationScope, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import type { Activities } from '../activities/activities.js';
import { light, longWork, watch } from './activity-options.js';
import { takeCancel } from './cancel-in-temporal.js';
import { nudgeSignal } from './names.js';
import { type Batch, produce, type RunningSlices } from './produce.js';
import { RestartableWait } from './restartable-wait.js';

const { preparePage, settle } = proxyActivities<Activities>(longWork);
const { seal, requestCancel } = proxyActivities<Activities>(light);
const { gate } = proxyActivities<Activities>(watch);

type Decision = RestartableWait<[batchId: string], Awaited<ReturnType<typeof gate>>>;

/**
 * A batch from its stored manifest to its closed books: prepare, seal, gate, produce, settle.
 *
 * @returns the batch's state in the ledger when nothing is left for this workflow to do.
 */
export async function batchWorkflow({ ledgerId, batchId }: Batch): Promise<string> {
  const decision = new RestartableWait(gate);
  const slices: RunningSlices = new Set();
  const look = () => {
    decision.look();
    // A slice that has just ended needs no nudge: what it misses, the ledger tells the next one.
    for (const slice of slices) void slice.signal(nudgeSignal).catch(() => undefined);
  };
  setHandler(defineSignal(nudgeSignal), look);
  takeCancel((reason) => requestCancel(batchId, reason), look);

  return CancellationScope.nonCancellable(async () => {
    if (await approved(batchId, decision)) await produce({ ledgerId, batchId }, slices);
    return settle(batchId);
  });
}

/** Prices, seals and waits for the decision; again when the estimates grew too old to decide on. */
async function approved(batchId: string, decision: Decision): Promise<boolean> {
  for (;;) {
    for (let after = await preparePage(batchId, null); after !== null;) after = await preparePage(batchId, after);
    const sealed = await seal(batchId);
    if (sealed !== 'waiting') return sealed === 'making';
    let answer: 'approved' | 'over' | 'stale' | undefined;
    while (answer === undefined) answer = await decision.turn(batchId);
    if (answer !== 'stale') return answer === 'approved';
  }
}
