import { CancellationScope, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import type { Activities } from '../activities/activities.js';
import { download, light, watch, work } from './activity-options.js';
import { Door } from './door.js';
import { eachAtMost } from './each-at-most.js';
import { Follower } from './follower.js';
import { followSignal, nudgeSignal, orderQueue } from './names.js';

export interface Slice {
  readonly batchId: string;
  readonly slice: number;
  /** Rows in the making side by side. */
  readonly width: number;
}

const { order } = proxyActivities<Activities>({ ...work, taskQueue: orderQueue });
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
  const named = (step: string, rowKey: string) => ({ activityId: `${step} ${rowKey}`, summary: rowKey });

  async function produceMovie(rowKey: string): Promise<void> {
    for (;;) {
      const { outcome, soon } = await order.executeWithOptions(named('order', rowKey), [batchId, rowKey]);
      if (outcome === 'settled') return;
      if (outcome === 'running') {
        if (soon) follower.look();
        break;
      }
      await door.open();
    }
    const { next } = await follower.end(rowKey);
    if (next === 'archive') await archive.executeWithOptions(named('archive', rowKey), [batchId, rowKey]);
  }

  // A cancellation made in Temporal's own tools becomes an intent in the ledger; the rows end as for any other cancel.
  CancellationScope.current().cancelRequested.catch(() =>
    CancellationScope.nonCancellable(async () => {
      await requestCancel(batchId, 'canceled in Temporal');
      look();
    }),
  );
  await CancellationScope.nonCancellable(async () => {
    const { rowKeys } = await openSlice(batchId, slice);
    await eachAtMost(width, rowKeys, produceMovie);
  });
}
