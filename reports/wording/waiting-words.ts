import type { RowCounts } from '../../domain/batch-state.js';
import { formatAmount, formatMoney } from '../../domain/money.js';
import type { BatchView } from '../../ledger/batches/batches.js';
import type { HoldUp } from '../../ledger/batches/hold-up.js';
import { printable } from './printable.js';
import { formatDuration } from './time-text.js';

/** What says for what a batch waits. */
export interface WaitingFacts {
  readonly batch: BatchView;
  readonly counts: RowCounts;
  /** The budget or limit in the way. */
  readonly heldUpBy: HoldUp | null;
}

export interface WaitingOptions {
  readonly nowMs: number;
  /** No worker is running, or Temporal is away. */
  readonly workersAway?: boolean;
}

/** What a batch waits for, in a few words; empty where it waits for nothing. */
export function waitingFor({ batch, counts, heldUpBy }: WaitingFacts, { nowMs, workersAway }: WaitingOptions): string {
  const { state, stops, expiresAtMs, stateReason } = batch;
  const isWork = state === 'preparing' || state === 'making';
  if (isWork && workersAway) return 'no worker running';
  if (state === 'preparing') return 'prices';
  if (state === 'waiting') {
    if (heldUpBy?.kind === 'budget') return budgetWords(heldUpBy, batch);
    const left = expiresAtMs === null ? '' : `, ${formatDuration(expiresAtMs - nowMs)} left`;
    return `finance approval${left}`;
  }
  const [stop] = stops;
  if (stop) return `${stop.endsBy}: ${stop.command.replace(/^greenlight /, '')}`;
  if (heldUpBy?.kind === 'in_flight') {
    return `${heldUpBy.of === 'batch' ? 'its own' : 'service'} limit: ${heldUpBy.limit} in progress`;
  }
  if (state === 'making') return (counts.planned ?? 0) + (counts.blocked ?? 0) > 0 ? 'queued' : '';
  if ((counts.unknown ?? 0) > 0) return 'unknown list';
  return stateReason === null ? '' : printable(stateReason);
}

/** As `budget acme: 1.50 of 2.00 USD`: nobody can approve it before the limit is raised. */
function budgetWords(
  { path, availableMinor, currency }: Extract<HoldUp, { kind: 'budget' }>,
  batch: BatchView,
): string {
  const available = formatAmount({ amountMinor: availableMinor, currency });
  return `budget ${path}: ${available} of ${formatMoney({ amountMinor: batch.totalMinor ?? 0, currency })}`;
}
