import type { z } from 'zod';
import { formatMoney } from '../../domain/money.js';
import type { BatchStatus } from '../../operations/batches.js';
import { whyWaiting } from '../../operations/why-waiting.js';
import type { ApiDeps } from './api-deps.js';
import { timeJson } from './schemas/amount.js';
import type { Waiting } from './schemas/batch.js';

type WaitingJson = z.output<typeof Waiting>;

/** Everything that keeps a batch from going on, each with who can act. */
export async function waitingOf(deps: ApiDeps, status: BatchStatus): Promise<readonly WaitingJson[]> {
  const { batch } = status;
  const none = { since: null, until: null, ends_by: null };
  const troubles = await whyWaiting(deps, batch);
  return [
    ...decisionMissing(status),
    ...batch.stops.map(
      ({ detail, endsBy, sinceMs, command }): WaitingJson => ({
        ...{ ...none, reason: 'stop', detail: `${detail}; ${command}`, ends_by: endsBy },
        since: sinceMs > 0 ? timeJson(sinceMs) : null,
      }),
    ),
    ...limitReached(status),
    ...troubles.map((detail): WaitingJson => ({ ...none, reason: 'trouble', detail })),
  ];
}

function decisionMissing({ batch }: BatchStatus): readonly WaitingJson[] {
  if (batch.state !== 'waiting') return [];
  const detail = `its plan waits for a decision; greenlight approve ${batch.batchId}`;
  const [since, until] = [timeJson(batch.sealedAtMs), timeJson(batch.expiresAtMs)];
  return [{ reason: 'approval', detail, since, until, ends_by: 'finance' }];
}

function limitReached({ heldUpBy }: BatchStatus): readonly WaitingJson[] {
  if (heldUpBy === null) return [];
  const none = { since: null, until: null };
  if (heldUpBy.kind === 'in_flight') {
    const { of, limit } = heldUpBy;
    const detail = `${of === 'batch' ? 'its own' : "the service's"} limit: ${limit} in progress`;
    return [{ ...none, reason: 'in_flight', detail, ends_by: null }];
  }
  const { path, availableMinor: amountMinor, currency } = heldUpBy;
  const detail = `budget ${path} has room for ${formatMoney({ amountMinor, currency })}; raise its limit`;
  return [{ ...none, reason: 'budget', detail, ends_by: 'finance' }];
}
