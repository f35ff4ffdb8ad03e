import { ChildWorkflowFailure, type Priority } from '@temporalio/common';
import {
  CancellationScope,
  type ChildWorkflowHandle,
  defineSignal,
  proxyActivities,
  setHandler,
  sleep,
  startChild,
} from '@temporalio/workflow';
import type { Activities } from '../activities/activities.js';
import { light, longWork, watch } from './activity-options.js';
import { forEachConcurrent } from './for-each-concurrent.js';
import { JoinedLater } from './joined-later.js';
import { halfSignal, isUnreplayable, namesOf, nudgeSignal, sliceStarts, sliceTries, takeUpSignal } from './names.js';
import { RestartableWait } from './restartable-wait.js';
import { Semaphore } from './semaphore.js';
import { sliceWorkflow } from './slice-workflow.js';

const { preparePage, settle } = proxyActivities<Activities>(longWork);
const { seal, cutSlices, openSlices, noteUnreplayable, requestCancel } = proxyActivities<Activities>(light);
const { gate } = proxyActivities<Activities>(watch);

/** What all slices of a batch have in common. */
interface HowToSlice {
  /** Rows in the making side by side. */
  readonly width: number;
  /** Among the slices of other batches. */
  readonly turn: Priority;
}

type Decision = RestartableWait<[batchId: string], Awaited<ReturnType<typeof gate>>>;

/** What a batch's workflow is told. */
export interface Batch {
  /** In whose books it is. */
  readonly ledgerId: string;
  readonly batchId: string;
}

interface SliceOf extends Batch {
  readonly slice: number;
  /** Those under way, which are told when there is something to look at. */
  readonly slices: Set<ChildWorkflowHandle<typeof sliceWorkflow>>;
}

/**
 * A batch from its stored manifest to its closed books: prepare, seal, gate, produce, settle.
 *
 * @returns the batch's state in the ledger when nothing is left for this workflow to do.
 */
export async function batchWorkflow({ ledgerId, batchId }: Batch): Promise<string> {
  const decision = new RestartableWait(gate);
  const slices = new Set<ChildWorkflowHandle<typeof sliceWorkflow>>();
  const look = () => {
    decision.look();
    // A slice that has just ended needs no nudge: what it misses, the ledger tells the next one.
    for (const slice of slices) void slice.signal(nudgeSignal).catch(() => undefined);
  };
  setHandler(defineSignal(nudgeSignal), look);
  CancellationScope.current().cancelRequested.catch(() =>
    CancellationScope.nonCancellable(async () => {
      await requestCancel(batchId, 'canceled in Temporal');
      look();
    }),
  );

  return CancellationScope.nonCancellable(async () => {
    if (await approved(batchId, decision)) await produce();
    return settle(batchId);
  });

  /**
   * Slices side by side until their widths fill the in-flight limit, and one more so that an end leaves no gap. One half
   * of whose movies have ended counts no more, so that the next comes before the last movie and its files. Where files
   * cannot be saved, such slices pile up only so far: then nothing more is ordered.
   */
  async function produce(): Promise<void> {
    const { slices: count, maxInFlight, rowsPerSlice, campaign, priority } = await cutSlices(batchId);
    // Activities of a slice inherit it: campaigns take turns, and what is urgent is ordered first.
    const turn = { fairnessKey: campaign, ...(priority !== null && { priorityKey: priority }) };
    const width = Math.min(rowsPerSlice, maxInFlight);
    const concurrently = Math.ceil(maxInFlight / width) + 1;
    const making = new Semaphore(concurrently);
    setHandler(defineSignal<[slice: number]>(halfSignal), (slice) => making.leave(slice));
    const inHand = new Set(Array(count).keys());
    const make = async (slice: number) => {
      await produceSlice({ ledgerId, batchId, slice, slices }, { width, turn });
      inHand.delete(slice);
    };
    // Past the limit of slices: what came back to life may hold the very places that the others wait for.
    const takeUp = async () => {
      const left = (await openSlices(batchId)).filter((slice) => !inHand.has(slice));
      for (const slice of left) inHand.add(slice);
      await Promise.all(left.map(make));
    };
    const later = new JoinedLater();
    setHandler(defineSignal(takeUpSignal), () => {
      for (const slice of slices) void slice.signal(takeUpSignal).catch(() => undefined);
      later.begin(() => CancellationScope.nonCancellable(takeUp));
    });
    await forEachConcurrent(2 * concurrently, [...inHand], async (slice) => {
      await making.enter(slice);
      await make(slice);
      making.leave(slice);
    });
    await later.rest();
  }
}

/** Prices, seals and waits for the decision; again when the estimates grew too old to decide on. */
async function approved(batchId: string, decision: Decision): Promise<boolean> {
  for (;;) {
    for (let after = await preparePage(batchId, null); after !== null; ) after = await preparePage(batchId, after);
    const sealed = await seal(batchId);
    if (sealed !== 'waiting') return sealed === 'making';
    let answer: 'approved' | 'over' | 'stale' | undefined;
    while (answer === undefined) answer = await decision.turn(batchId);
    if (answer !== 'stale') return answer === 'approved';
  }
}

/** Code that was changed under a running slice is no fault of its rows: that start is not one of its tries. */
async function produceSlice(what: SliceOf, how: HowToSlice): Promise<void> {
  let failed = 0;
  for (let start = 1; start <= sliceStarts && failed < sliceTries; start += 1) {
    if (start > 1) await sleep(start * 1_000);
    const end = await sliceEnd(what, start, how);
    if (end === 'completed') return;
    if (end === 'unreplayable') await noteUnreplayable(what.batchId, what.slice);
    else failed += 1;
  }
}

type SliceEnd = 'completed' | 'failed' | 'unreplayable';

/** However a slice ends badly (failed, timed out, terminated, reset) is an outcome here, never our own failure. */
async function sliceEnd(what: SliceOf, start: number, { width, turn }: HowToSlice): Promise<SliceEnd> {
  const { ledgerId, batchId, slice, slices } = what;
  let child: ChildWorkflowHandle<typeof sliceWorkflow> | undefined;
  try {
    child = await startChild(sliceWorkflow, {
      workflowId: namesOf(ledgerId).slice(batchId, slice, start),
      args: [{ ledgerId, batchId, slice, width }],
      priority: turn,
    });
    slices.add(child);
    await child.result();
    return 'completed';
  } catch (error) {
    const cause = error instanceof ChildWorkflowFailure ? error.cause : undefined;
    return isUnreplayable(cause?.message ?? '') ? 'unreplayable' : 'failed';
  } finally {
    if (child) slices.delete(child);
  }
}
