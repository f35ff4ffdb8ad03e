import type { Client } from '@temporalio/client';
import type { WorkersSeen } from '../../operations/why-waiting.js';
import { batchWorkflowId, workflowQueue } from '../../workflows/names.js';
import type { TemporalConfig } from '../config.js';

const deadlineMs = 3_000;
/** A worker asks again at least once a minute; one that has ended is listed for some minutes more. */
const aliveMs = 70_000;
/** Of Temporal's API: the queue's workers that take activities. */
const activityTasks = 2;

/** Waits that belong to the course of a batch, and are no trouble. */
const plainWait = 'NotReady';

/** @param temporal null while the home's own does not run */
export async function seeWorkers(temporal: TemporalConfig | null, batchId: string | null): Promise<WorkersSeen> {
  if (!temporal) return { temporal: 'not running', workers: 0, trouble: null };
  const [{ createTemporalClient }, { tryTemporal }] = await Promise.all([
    import('./temporal-client.js'),
    import('./try-temporal.js'),
  ]);
  const { client, close } = createTemporalClient(temporal);
  try {
    await tryTemporal(temporal); // hears at once that nobody is there, where a client tries until its deadline
    return await client.withDeadline(Date.now() + deadlineMs, async () => ({
      temporal: 'there',
      workers: await countWorkers(client, temporal.namespace),
      trouble: batchId === null ? null : await troubleOf(client, batchId),
    }));
  } catch {
    return { temporal: 'away', workers: 0, trouble: null };
  } finally {
    await close();
  }
}

async function countWorkers(client: Client, namespace: string): Promise<number> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    ...{ namespace, taskQueue: { name: workflowQueue }, taskQueueType: activityTasks },
  });
  const now = Date.now();
  const alive = (pollers ?? []).filter(
    ({ lastAccessTime }) => now - Number(lastAccessTime?.seconds ?? 0) * 1_000 < aliveMs,
  );
  return new Set(alive.map(({ identity }) => identity)).size;
}

async function troubleOf(client: Client, batchId: string): Promise<string | null> {
  const described = await client.workflow
    .getHandle(batchWorkflowId(batchId))
    .describe()
    .catch(() => null); // not started yet
  for (const { lastFailure } of described?.raw.pendingActivities ?? []) {
    const type = lastFailure?.applicationFailureInfo?.type;
    if (lastFailure?.message && type !== plainWait) return lastFailure.message;
  }
  return null;
}
