import type { RowCounts } from '../../domain/batch-state.js';
import { formatMoney } from '../../domain/money.js';
import type { BatchView } from '../../ledger/batches/batches.js';
import type { RowView } from '../../ledger/batches/rows.js';

export interface EndedFacts {
  readonly batch: Pick<BatchView, 'batchId' | 'state' | 'money' | 'archivedAtMs'>;
  readonly counts: RowCounts;
  /** What the rows that can be ordered again cost the last time; null where nobody added it up. */
  readonly againMinor: number | null;
}

/** What is left to do with a batch that has ended, each by the command that does it; nothing of one that is open. */
export function nextSteps({ batch, counts, againMinor }: EndedFacts): readonly string[] {
  const { batchId, state, money } = batch;
  if (!['closed', 'canceled', 'unsettled'].includes(state)) return [];
  if (batch.archivedAtMs !== null) return [`its details: greenlight archive-batches --restore ${batchId}`];
  const { delivered = 0, failed = 0, canceled = 0, lost = 0, unknown = 0, overdue = 0 } = counts;
  const price = againMinor === null ? '' : ` (${formatMoney({ amountMinor: againMinor, currency: money.currency })})`;
  return [
    ...(unknown > 0 ? [`next: greenlight unknown list ${batchId}`] : []),
    ...(overdue > 0 ? [`next: greenlight status ${batchId} --state overdue`] : []),
    ...(failed + canceled + lost > 0 ? [`again: greenlight retry ${batchId}${price}`] : []),
    ...(delivered > 0 ? [`next: greenlight open ${batchId}, or greenlight bundle ${batchId} --zip`] : []),
  ];
}

/** What comes next for one row, by its command. */
export function nextOfRow(batchId: string, { rowKey, state }: Pick<RowView, 'rowKey' | 'state'>): string {
  switch (state) {
    case 'delivered':
    case 'unchanged':
      return `greenlight open ${batchId}`;
    case 'failed':
    case 'canceled':
    case 'lost':
      return `greenlight retry ${batchId} ${rowKey}`;
    case 'unknown':
      return `greenlight unknown list ${batchId}`;
    case 'planned':
    case 'blocked':
    case 'ordering':
    case 'running':
    case 'archiving':
    case 'overdue':
      return `greenlight logs ${batchId} --follow`;
    case 'rejected':
    case 'open_elsewhere':
    case 'left_out':
      return `greenlight status ${batchId}`;
    default:
      return state satisfies never;
  }
}
