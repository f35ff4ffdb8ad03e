import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import type { LedgerNames } from '../workflows/names.js';

/** The longest delay that a lost start or a terminated workflow can cause. */
const every = '1m';

/** Reconciles on a schedule, and once now: people who start a worker want to see yesterday's batch continue. */
export async function scheduleReconcile(client: Client, { reconcile, workflowQueue }: LedgerNames): Promise<void> {
  const scheduleId = reconcile;
  try {
    await client.schedule.create({
      scheduleId,
      spec: { intervals: [{ every }] },
      action: {
        ...{ type: 'startWorkflow', workflowType: 'reconcileWorkflow', taskQueue: workflowQueue, args: [] },
        workflowId: reconcile,
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: every },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
  await client.schedule.getHandle(scheduleId).trigger();
}
