import type { WorkerListed } from '../../operations/health/desk-health.js';
import { namesOf } from '../../workflows/names.js';
import type { TemporalConfig } from '../config.js';
import { activityTasks, deadlineMs, isAlive } from './see-workers.js';

/**
 * Lists the workers that poll Temporal for work of the ledger: one that has ended stays listed for some minutes.
 *
 * @param temporal null while the home's own is not running
 * @returns null when Temporal is unavailable.
 */
export async function listWorkers(
  temporal: TemporalConfig | null,
  ledgerId: string,
): Promise<readonly WorkerListed[] | null> {
  if (!temporal) return null;
  const [{ createTemporalClient }, { tryTemporal }] = await Promise.all([
    import('./temporal-client.js'),
    import('./try-temporal.js'),
  ]);
  const { client, close } = createTemporalClient(temporal, ledgerId);
  const { workflowQueue, orderQueue } = namesOf(ledgerId);
  try {
    await tryTemporal(temporal);
    const pollersOf = async (queue: string) => {
      const asked = { namespace: temporal.namespace, taskQueue: { name: queue }, taskQueueType: activityTasks };
      const { pollers } = await client.workflowService.describeTaskQueue(asked);
      return pollers ?? [];
    };
    return await client.withDeadline(Date.now() + deadlineMs, async () =>
      merged({ making: await pollersOf(workflowQueue), orders: await pollersOf(orderQueue) }),
    );
  } catch {
    return null;
  } finally {
    await close();
  }
}

/** The fields of a poller in Temporal's API that are read here. */
interface Poller {
  readonly identity?: string | null;
  readonly lastAccessTime?: { readonly seconds?: unknown } | null;
  readonly deploymentOptions?: { readonly buildId?: string | null } | null;
}

/** A worker polls each queue by itself. */
function merged(queues: Readonly<Record<'making' | 'orders', readonly Poller[]>>): readonly WorkerListed[] {
  const workers = new Map<string, WorkerListed>();
  for (const queue of ['making', 'orders'] as const) {
    for (const { identity, lastAccessTime, deploymentOptions } of queues[queue]) {
      const name = identity || 'unnamed';
      const known = workers.get(name);
      const lastSeenMs = Math.max(Number(lastAccessTime?.seconds ?? 0) * 1_000, known?.lastSeenMs ?? 0);
      workers.set(name, {
        ...{ name, lastSeenMs, isAlive: isAlive({ identity: name, seenMs: lastSeenMs }) },
        build: deploymentOptions?.buildId || known?.build || null,
        queues: [...(known?.queues ?? []), queue],
      });
    }
  }
  return [...workers.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}
