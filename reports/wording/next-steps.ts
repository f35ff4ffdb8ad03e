import type { RowCounts } from '../../domain/batch-state.js';
import { formatMoney } from '../../domain/money.js';
import type { BatchView } from '../../ledger/batches/batches.js';
import type { RowView } from '../../ledger/batches/rows.js';

export interface EndedFacts {
  readonly batch: Pick<
    BatchView,
    'batchId' | 'campaign' | 'manifestName' | 'state' | 'money' | 'rowsToOrder' | 'archivedAtMs'
  >;
  readonly counts: RowCounts;
  /** What the rows that can be ordered again cost the last time; null where nobody added it up. */
  readonly againMinor: number | null;
}

/** What is left to do with a batch that has ended, each by the command that does it; nothing of one that is open. */
export function nextSteps({ batch, counts, againMinor }: EndedFacts): readonly string[] {
  const { batchId, state, money } = batch;
  if (state === 'refused' || state === 'expired') return [`again: ${planAgain(batch)}`];
  if (!['closed', 'canceled', 'unsettled'].includes(state)) return [];
  if (batch.archivedAtMs !== null) return [`its details: greenlight archive-batches --restore ${batchId}`];
  const { delivered = 0, failed = 0, canceled = 0, lost = 0, unknown = 0, overdue = 0 } = counts;
  if (state === 'closed' && batch.rowsToOrder === 0) return [afterNothing(batch, counts)];
  const price = againMinor === null ? '' : ` (${formatMoney({ amountMinor: againMinor, currency: money.currency })})`;
  return [
    ...(unknown > 0 ? [`next: greenlight unknown list ${batchId}`] : []),
    ...(overdue > 0 ? [`next: greenlight status ${batchId} --state overdue`] : []),
    ...(failed + canceled + lost > 0 ? [`again: greenlight retry ${batchId}${price}`] : []),
    ...(delivered > 0 ? [`next: greenlight open ${batchId}, or greenlight bundle ${batchId} --zip`] : []),
  ];
}

/** Where the rows are that a batch did not have to order. */
function afterNothing({ batchId, campaign }: EndedFacts['batch'], counts: RowCounts): string {
  const { delivered = 0, unchanged = 0 } = counts;
  if (delivered + unchanged > 0) return filmsSoFar(campaign);
  return `why: greenlight status ${batchId} --rows`;
}

/** The next step where nothing is left to order. */
export function filmsSoFar(campaign: string): string {
  return `all films of ${campaign}: greenlight bundle ${campaign}`;
}

/** What follows a plan that was not approved; its sheet's name as a shell takes it. */
export function planAgain({ manifestName }: Pick<BatchView, 'manifestName'>): string {
  return `greenlight plan ${/^[\w./-]+$/.test(manifestName) ? manifestName : JSON.stringify(manifestName)}`;
}

/** What comes next for one row, by its command. */
export function nextOfRow(
  batch: Pick<BatchView, 'batchId' | 'state' | 'manifestName'>,
  { rowKey, state, classDetail }: Pick<RowView, 'rowKey' | 'state' | 'classDetail'>,
): string {
  const { batchId } = batch;
  const isOver = batch.state === 'refused' || batch.state === 'expired';
  switch (state) {
    case 'delivered':
      return `greenlight open ${batchId}`;
    case 'unchanged':
      return `greenlight open ${classDetail?.batchId ?? batchId}`;
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
      return isOver ? planAgain(batch) : `greenlight logs ${batchId} --follow`;
    case 'open_elsewhere':
      return `greenlight status ${classDetail?.batchId ?? batchId}`;
    case 'rejected':
    case 'left_out':
      return `greenlight status ${batchId}`;
    default:
      return state satisfies never;
  }
}
