import {
  CancellationScope,
  defineSignal,
  getExternalWorkflowHandle,
  proxyActivities,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import type { Activities } from '../activities/activities.js';
import { download, light, watch, work } from './activity-options.js';
import { Door } from './door.js';
import { eachAtMost } from './each-at-most.js';
import { Follower } from './follower.js';
import { batchWorkflowId, followSignal, halfSignal, nudgeSignal, orderQueue } from './names.js';
import { Together } from './together.js';

export interface Slice {
  readonly batchId: string;
  readonly slice: number;
  /** Rows in the making side by side. */
  readonly width: number;
}

/** Rows that one activity saves: one that is slow holds up so many others, and no file of theirs. */
const savedTogether = 10;

const { order } = proxyActivities<Activities>(work);
/** The server hands these out no faster than the queue's rate allows, whoever asks. */
const { order: pacedOrder } = proxyActivities<Activities>({ ...work, taskQueue: orderQueue });
const { archive } = proxyActivities<Activities>(download);
const { openSlice, requestCancel } = proxyActivities<Activities>(light);
const { follow, admit } = proxyActivities<Activities>(watch);

/**
 * Makes the movies of up to 200 rows. Every row runs inline, `width` at a time; one follower polls for them all, and
 * one door keeps the rows that may not be ordered now. Outcomes come from the ledger, never from how an activity ended.
 */
export async function sliceWorkflow({ batchId, slice, width }: Slice): Promise<void> {
  const follower = new Follower((seen) =>
    follow.executeWithOptions({ summary: `slice ${slice}` }, [batchId, slice, seen]),
  );
  const door = new Door(() => admit(batchId));
  const look = () => {
    follower.look();
    door.look();
  };
  setHandler(defineSignal(nudgeSignal), look);
  setHandler(defineSignal(followSignal), () => follower.look());
  const batch = getExternalWorkflowHandle(batchWorkflowId(batchId));
  let untilHalf = 0;
  const named = (step: string, rows: string) => ({ activityId: `${step} ${rows}`, summary: rows });
  const saves = new Together(savedTogether, (rowKeys: readonly string[]) =>
    archive.executeWithOptions(named('archive', inShort(rowKeys)), [batchId, rowKeys]),
  );

  async function produceMovie(rowKey: string, ordering: typeof order): Promise<void> {
    const ask = () => ordering.executeWithOptions(named('order', rowKey), [batchId, rowKey]);
    let ordered = await ask();
    while (ordered.outcome === 'blocked') {
      await door.open();
      ordered = await ask();
    }
    if (ordered.soon) follower.look();
    const next = ordered.outcome === 'running' ? (await follower.end(rowKey)).next : 'settled';
    untilHalf -= 1;
    // The batch may be gone, and starts nothing then.
    if (untilHalf === 0) void batch.signal(halfSignal, slice).catch(() => undefined);
    if (next === 'archive') await saved(rowKey);
  }

  /** A row that could not be saved with the others is tried by itself from then on, so that it holds up none. */
  async function saved(rowKey: string): Promise<void> {
    const { later } = await saves.of(rowKey);
    const mine = later.find((row) => row.rowKey === rowKey);
    if (!mine) return;
    await sleep(mine.delayMs);
    await archive.executeWithOptions(named('archive', rowKey), [batchId, [rowKey]]);
  }

  // A cancellation made in Temporal's own tools becomes an intent in the ledger; the rows end as for any other cancel.
  CancellationScope.current().cancelRequested.catch(() =>
    CancellationScope.nonCancellable(async () => {
      await requestCancel(batchId, 'canceled in Temporal');
      look();
    }),
  );
  await CancellationScope.nonCancellable(async () => {
    const { rowKeys, paced } = await openSlice(batchId, slice);
    const ordering = paced ? pacedOrder : order;
    untilHalf = Math.ceil(rowKeys.length / 2);
    await eachAtMost(width, rowKeys, (rowKey) => produceMovie(rowKey, ordering));
  });
}

function inShort([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}
