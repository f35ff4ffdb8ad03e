import { hostname } from 'node:os';
import process from 'node:process';
import type { Client } from '@temporalio/client';
import type { WorkersSeen } from '../../operations/why-waiting.js';
import { type LedgerNames, namesOf } from '../../workflows/names.js';
import type { TemporalConfig } from '../config.js';
import { codeTrouble } from './code-trouble.js';

export const deadlineMs = 3_000;
/** A worker polls at least once a minute; one that has ended is listed for some minutes more. */
const aliveMs = 70_000;
/** Temporal's API: the workers of a queue that take activities. */
export const activityTasks = 2;

/** Waits that are a normal part of a batch. */
const plainWait = 'NotReady';

/**
 * @param temporal null while the home's own is not running
 * @param ledgerId the ledger whose workers to find; null for one that does not exist yet, and has none
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
    await tryTemporal(temporal); // fails at once, where a client would retry until its deadline
    return await client.withDeadline(Date.now() + deadlineMs, async () => ({
      ...{ temporal: 'there', workers: 0, lastSeenMs: null, trouble: null },
      ...(ledgerId === null ? {} : await lookAtPollers(client, temporal.namespace, names)),
      ...(batchId === null ? {} : await troubleOf(client, names.batch(batchId))),
    }));
  } catch {
    return { temporal: 'away', workers: 0, trouble: null };
  } finally {
    await close();
  }
}

type Pollers = Pick<WorkersSeen, 'workers' | 'lastSeenMs'>;

async function lookAtPollers(client: Client, namespace: string, { workflowQueue }: LedgerNames): Promise<Pollers> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    ...{ namespace, taskQueue: { name: workflowQueue }, taskQueueType: activityTasks },
  });
  const listed = (pollers ?? []).map(({ identity, lastAccessTime }) => ({
    identity: identity ?? '',
    seenMs: Number(lastAccessTime?.seconds ?? 0) * 1_000,
  }));
  const alive = listed.filter(isAlive);
  const lastSeenMs = Math.max(...(alive.length > 0 ? alive : listed).map(({ seenMs }) => seenMs));
  return {
    workers: new Set(alive.map(({ identity }) => identity)).size,
    lastSeenMs: listed.length === 0 ? null : lastSeenMs,
  };
}

/** Whether a worker that Temporal lists still polls for work, as far as this machine can know. */
export function isAlive({ identity, seenMs }: { readonly identity: string; readonly seenMs: number }): boolean {
  return Date.now() - seenMs < aliveMs && !hasEnded(identity);
}

/**
 * Whether a worker, which the SDK names `pid@host`, was a process of this machine that is gone: a killed one is listed
 * like an idle one for more than a minute. Nothing is known about other machines.
 */
export function hasEnded(identity: string): boolean {
  const [, pid, host] = /^(\d+)@(.+)$/.exec(identity) ?? [];
  if (host !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'; // otherwise it exists, and is another user's
  }
}

export type Trouble = Pick<WorkersSeen, 'trouble' | 'troubleSinceMs'>;

/** Slices are checked too: their work can fail while that of their batch succeeds. */
const slicesChecked = 3;

async function troubleOf(client: Client, workflowId: string): Promise<Trouble> {
  const batch = await describe(client, workflowId);
  const slices = (batch?.pendingChildren ?? []).slice(0, slicesChecked);
  const described = [batch, ...(await Promise.all(slices.map((slice) => describe(client, slice.workflowId ?? ''))))];
  for (const { lastFailure, scheduledTime } of described.flatMap((one) => one?.pendingActivities ?? [])) {
    const type = lastFailure?.applicationFailureInfo?.type;
    if (!lastFailure?.message || type === plainWait) continue;
    const sinceMs = Number(scheduledTime?.seconds ?? 0) * 1_000;
    return { trouble: lastFailure.message, troubleSinceMs: sinceMs > 0 ? sinceMs : null };
  }
  const failing = await Promise.all(described.map((one) => (one ? codeTrouble(client, one) : null)));
  return failing.find((trouble) => trouble !== null) ?? { trouble: null };
}

/** Null for a workflow that has not started yet. */
async function describe(client: Client, workflowId: string) {
  const found = await client.workflow
    .getHandle(workflowId)
    .describe()
    .catch(() => null);
  return found?.raw;
}
