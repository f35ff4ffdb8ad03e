import type { Client } from '@temporalio/client';
import type { WorkersSeen } from '../../operations/why-waiting.js';
import { type LedgerNames, namesOf } from '../../workflows/names.js';
import type { TemporalConfig } from '../config.js';

const deadlineMs = 3_000;
/** A worker asks again at least once a minute; one that has ended is listed for some minutes more. */
const aliveMs = 70_000;
/** Of Temporal's API: the queue's workers that take activities. */
const activityTasks = 2;

/** Waits that belong to the course of a batch, and are no trouble. */
const plainWait = 'NotReady';

/**
 * @param temporal null while the home's own does not run
 * @param ledgerId whose workers are looked for; null for a ledger that is still to be made, and has none
 */
export async function seeWorkers(
  temporal: TemporalConfig | null,
  ledgerId: string | null,
  batchId: string | null,
): Promise<WorkersSeen> {
  const names = namesOf(ledgerId ?? '');
  if (!temporal) return { temporal: 'not running', workers: 0, trouble: null };
  const [{ createTemporalClient }, { tryTemporal }] = await Promise.all([
    import('./temporal-client.js'),
    import('./try-temporal.js'),
  ]);
  const { client, close } = createTemporalClient(temporal, ledgerId ?? '');
  try {
    await tryTemporal(temporal); // hears at once that nobody is there, where a client tries until its deadline
    return await client.withDeadline(Date.now() + deadlineMs, async () => ({
      temporal: 'there',
      workers: ledgerId === null ? 0 : await countWorkers(client, temporal.namespace, names),
      trouble: batchId === null ? null : await troubleOf(client, names.batch(batchId)),
    }));
  } catch {
    return { temporal: 'away', workers: 0, trouble: null };
  } finally {
    await close();
  }
}

async function countWorkers(client: Client, namespace: string, { workflowQueue }: LedgerNames): Promise<number> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    ...{ namespace, taskQueue: { name: workflowQueue }, taskQueueType: activityTasks },
  });
  const now = Date.now();
  const alive = (pollers ?? []).filter(
    ({ lastAccessTime }) => now - Number(lastAccessTime?.seconds ?? 0) * 1_000 < aliveMs,
  );
  return new Set(alive.map(({ identity }) => identity)).size;
}

async function troubleOf(client: Client, workflowId: string): Promise<string | null> {
  const described = await client.workflow
    .getHandle(workflowId)
    .describe()
    .catch(() => null); // not started yet
  for (const { lastFailure } of described?.raw.pendingActivities ?? []) {
    const type = lastFailure?.applicationFailureInfo?.type;
    if (lastFailure?.message && type !== plainWait) return lastFailure.message;
  }
  return null;
}
