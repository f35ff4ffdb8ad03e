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
import { light } from './activity-options.js';
import { JoinedLater } from './joined-later.js';
import { Lanes } from './lanes.js';
import { halfSignal, isUnreplayable, limitSignal, namesOf, sliceStarts, sliceTries, takeUpSignal } from './names.js';
import { Semaphore } from './semaphore.js';
import { concurrentSlices, widthOf } from './slice-width.js';
import { sliceWorkflow } from './slice-workflow.js';

const { cutSlices, openSlices, noteUnreplayable } = proxyActivities<Activities>(light);

/** What a batch's workflow is told. */
export interface Batch {
  /** In whose books it is. */
  readonly ledgerId: string;
  readonly batchId: string;
}

/** Those under way, which are told when there is something to look at. */
export type RunningSlices = Set<ChildWorkflowHandle<typeof sliceWorkflow>>;

/** What all slices of a batch have in common. */
interface HowToSlice {
  /** Rows of one in the making side by side; changes with the limit of the batch. */
  width: number;
  /** Among the slices of other batches. */
  readonly turn: Priority;
}

interface SliceOf extends Batch {
  readonly slice: number;
  readonly slices: RunningSlices;
}

/**
 * Slices side by side until their widths fill the in-flight limit, and one more so that an end leaves no gap. One half
 * of whose movies have ended counts no more, so that the next comes before the last movie and its files. Where files
 * cannot be saved, such slices pile up only so far: then nothing more is ordered. Of a batch that is started again, those
 * that were begun come first and all at once: the others may wait for the very places that their rows hold.
 */
export async function produce({ ledgerId, batchId }: Batch, slices: RunningSlices): Promise<void> {
  const cut = await cutSlices(batchId);
  const { campaign, priority, begun = [] } = cut;
  // Activities of a slice inherit it: campaigns take turns, and what is urgent is ordered first.
  const turn = { fairnessKey: campaign, ...(priority !== null && { priorityKey: priority }) };
  const how: HowToSlice = { width: widthOf(cut), turn };
  const making = new Semaphore(concurrentSlices(cut));
  const lanes = new Lanes(Math.max(2 * concurrentSlices(cut), begun.length));
  setHandler(defineSignal<[slice: number]>(halfSignal), (slice) => making.leave(slice));
  const first = new Set(begun);
  const inHand = new Set([...first, ...Array(cut.slices).keys()]);
  const make = async (slice: number) => {
    await produceSlice({ ledgerId, batchId, slice, slices }, how);
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
    tell(slices, (slice) => slice.signal(takeUpSignal));
    later.begin(() => CancellationScope.nonCancellable(takeUp));
  });
  // The ledger keeps the limit at every order; here it says how many rows come to be ordered at all.
  const resize = async () => {
    const now = await cutSlices(batchId);
    how.width = widthOf(now);
    tell(slices, (slice) => slice.signal(limitSignal, how.width));
    making.resize(concurrentSlices(now));
    lanes.resize(2 * concurrentSlices(now));
  };
  setHandler(defineSignal(limitSignal), () => later.begin(() => CancellationScope.nonCancellable(resize)));
  await lanes.run([...inHand], async (slice) => {
    if (first.has(slice)) making.enterAtOnce(slice);
    else await making.enter(slice);
    await make(slice);
    making.leave(slice);
  });
  await later.rest();
}

/** A slice that has just ended misses nothing: its rows are done with, and the ledger tells the next one. */
function tell(slices: RunningSlices, say: (slice: ChildWorkflowHandle<typeof sliceWorkflow>) => Promise<void>): void {
  for (const slice of slices) void say(slice).catch(() => undefined);
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
async function sliceEnd(what: SliceOf, start: number, how: HowToSlice): Promise<SliceEnd> {
  const { ledgerId, batchId, slice, slices } = what;
  const { width, turn } = how;
  let child: ChildWorkflowHandle<typeof sliceWorkflow> | undefined;
  try {
    child = await startChild(sliceWorkflow, {
      workflowId: namesOf(ledgerId).slice(batchId, slice, start),
      args: [{ ledgerId, batchId, slice, width }],
      priority: turn,
    });
    slices.add(child);
    // Changed while it began, when nobody could tell it.
    if (how.width !== width) tell(new Set([child]), (begun) => begun.signal(limitSignal, how.width));
    await child.result();
    return 'completed';
  } catch (error) {
    const cause = error instanceof ChildWorkflowFailure ? error.cause : undefined;
    return isUnreplayable(cause?.message ?? '') ? 'unreplayable' : 'failed';
  } finally {
    if (child) slices.delete(child);
  }
}
