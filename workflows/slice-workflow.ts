import {
  CancellationScope,
  defineSignal,
  getExternalWorkflowHandle,
  proxyActivities,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import type { Activities, Later, Ordered } from '../activities/activities.js';
import { download, light, watch, work } from './activity-options.js';
import { AdmissionQueue } from './admission-queue.js';
import { takeCancel } from './cancel-in-temporal.js';
import { Coalescer } from './coalescer.js';
import { Follower } from './follower.js';
import { JoinedLater } from './joined-later.js';
import { Lanes } from './lanes.js';
import {
  followSignal,
  halfSignal,
  type LedgerNames,
  limitSignal,
  namesOf,
  nudgeSignal,
  takeUpSignal,
} from './names.js';

export interface Slice {
  readonly ledgerId: string;
  readonly batchId: string;
  readonly slice: number;
  /** Rows in the making side by side, at the start. */
  readonly width: number;
}

/**
 * Rows that one activity orders or saves: one that is slow holds up the answer for so many others, and nothing else. An
 * activity, with the task of the workflow that takes its answer, costs the server of Temporal some 16 ms of CPU.
 */
const rowsTogether = 50;

const { archive } = proxyActivities<Activities>(download);
const { openSlice, requestCancel } = proxyActivities<Activities>(light);
const { follow, admit } = proxyActivities<Activities>(watch);

/**
 * Makes the movies of a slice, 100 rows or some more. Every row runs inline, `width` at a time; one follower polls for them all, and
 * one door keeps the rows that may not be ordered now. Outcomes come from the ledger, never from how an activity ended.
 */
export async function sliceWorkflow({ ledgerId, batchId, slice, width }: Slice): Promise<void> {
  const names = namesOf(ledgerId);
  const follower = new Follower((seen) =>
    follow.executeWithOptions({ summary: `slice ${slice}` }, [batchId, slice, seen]),
  );
  const door = new AdmissionQueue((refusals) => admit(batchId, slice, refusals));
  const look = () => {
    follower.look();
    door.look();
  };
  setHandler(defineSignal(nudgeSignal), look);
  setHandler(defineSignal(followSignal), () => follower.look());
  const lanes = new Lanes(width);
  setHandler(defineSignal<[width: number]>(limitSignal), (wanted) => lanes.resize(wanted));
  /** Rows of the slice in the making, or in line for it. */
  const inHand = new Set<string>();
  const later = new JoinedLater();
  setHandler(defineSignal(takeUpSignal), () => later.begin(() => CancellationScope.nonCancellable(takeUp)));
  const batch = getExternalWorkflowHandle(names.batch(batchId));
  let untilHalf: number | null = null;
  const save = saving(batchId);

  async function produceMovie(rowKey: string, ask: (rowKey: string) => Promise<Ordered>): Promise<void> {
    let ordered = await ask(rowKey);
    while (ordered.outcome === 'blocked') {
      await door.open();
      ordered = await ask(rowKey);
      door.heard(ordered.outcome === 'blocked');
    }
    if (ordered.soon) follower.look();
    const next = ordered.outcome === 'running' ? (await follower.end(rowKey)).next : 'settled';
    untilHalf = (untilHalf ?? 0) - 1;
    // The batch may be gone, and starts nothing then.
    if (untilHalf === 0) void batch.signal(halfSignal, slice).catch(() => undefined);
    if (next === 'archive') await save(rowKey);
  }

  /** Makes those rows that the ledger has left and nobody has in hand. */
  async function takeUp(): Promise<void> {
    const { rowKeys, paced } = await openSlice(batchId, slice);
    const ask = ordering({ names, batchId }, paced);
    const left = rowKeys.filter((rowKey) => !inHand.has(rowKey));
    untilHalf ??= Math.ceil(left.length / 2);
    for (const rowKey of left) inHand.add(rowKey);
    await lanes.run(left, async (rowKey) => {
      await produceMovie(rowKey, ask);
      inHand.delete(rowKey);
    });
  }

  takeCancel((reason) => requestCancel(batchId, reason), look);
  await CancellationScope.nonCancellable(async () => {
    await takeUp();
    await later.rest();
  });
}

function saving(batchId: string): (rowKey: string) => Promise<unknown> {
  return asked('archive', rowsTogether, (options, rowKeys) => archive.executeWithOptions(options, [batchId, rowKeys]));
}

/** Where a rate is kept, each order passes the queue by itself: the server counts activities. */
function ordering(
  { names, batchId }: { readonly names: LedgerNames; readonly batchId: string },
  paced: boolean,
): (rowKey: string) => Promise<Ordered> {
  const { order } = proxyActivities<Activities>(paced ? { ...work, taskQueue: names.orderQueue } : work);
  const ask = asked('order', paced ? 1 : rowsTogether, (options, rowKeys) =>
    order.executeWithOptions(options, [batchId, rowKeys]),
  );
  return async (rowKey) => {
    const mine = (await ask(rowKey)).ordered.find((row) => row.rowKey === rowKey);
    if (!mine) throw new Error(`Cannot go on: the order of ${rowKey} was not answered`);
    return mine;
  };
}

/**
 * A step that rows take together when they come to it at one moment. One that has to wait is tried by itself from then
 * on, so that it holds up no other.
 */
function asked<Answer extends { readonly later: readonly Later[] }>(
  step: string,
  most: number,
  activity: (options: { activityId: string; summary: string }, rowKeys: readonly string[]) => Promise<Answer>,
): (rowKey: string) => Promise<Answer> {
  const ask = (rowKeys: readonly string[]) => {
    const rows = inShort(rowKeys);
    return activity({ activityId: `${step} ${rows}`, summary: rows }, rowKeys);
  };
  const together = new Coalescer(most, ask);
  return async (rowKey) => {
    const answer = await together.of(rowKey);
    const mine = answer.later.find((row) => row.rowKey === rowKey);
    if (!mine) return answer;
    await sleep(mine.delayMs);
    return ask([rowKey]);
  };
}

function inShort([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}
