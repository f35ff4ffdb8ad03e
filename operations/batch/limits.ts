import type { Actor } from '../../domain/roles.js';
import { readPolicy } from '../../ledger/access/policies.js';
import { limitBatch } from '../../ledger/progress/limits.js';
import { countsOf } from '../../reports/wording/state-words.js';
import { type BatchLook, readBatch } from '../batches.js';
import type { Notified, OperationDeps } from '../deps.js';

export interface LimitInput {
  readonly batchId: string;
  /** Maximum movies of the batch in progress; null: as many as the service and the workers allow. */
  readonly maxInFlight: number | null;
  readonly actor: Actor;
  readonly reason?: string;
}

/** How many movies of a batch may be in progress, and how many are. */
export interface Limits {
  readonly inProgress: number;
  /** The batch's own. */
  readonly batch: number | null;
  /** Over all batches of the service, set by the policy. */
  readonly service: number | null;
}

/**
 * Sets how many movies of a batch may be in progress, effective from the commit. Movies in progress continue.
 *
 * @returns before: the limit that it had.
 */
export async function limit(
  { ledger, clock, workflows }: OperationDeps,
  input: LimitInput,
): Promise<Notified & { readonly before: number | null }> {
  const before = await limitBatch(ledger, { ...input, nowMs: clock() });
  const { batchId } = input;
  return { before, told: (await workflows.resizeBatch(batchId)) && (await workflows.nudgeBatch(batchId)) };
}

export async function readLimits(deps: Pick<OperationDeps, 'ledger'>, look: BatchLook): Promise<Limits> {
  const { batch, counts } = await readBatch(deps, look);
  const { policy } = await readPolicy(deps.ledger.db);
  return {
    inProgress: countsOf(counts)['in progress'],
    batch: batch.maxInFlight,
    service: policy.maxInFlight,
  };
}
