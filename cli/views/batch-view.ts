import type { RowCounts } from '../../domain/batch-state.js';
import { formatAmount, formatMoney } from '../../domain/money.js';
import { rowStates } from '../../domain/row-state.js';
import type { BatchView } from '../../ledger/batches/batches.js';
import type { HoldUp } from '../../ledger/batches/hold-up.js';
import type { RowView } from '../../ledger/batches/rows.js';
import type { InvoicedShare } from '../../ledger/money/invoiced-batches.js';
import { printable } from '../terminal/printable.js';
import { alignColumns, cutEnd } from '../terminal/text-width.js';
import { formatDuration, formatTime } from '../terminal/time-text.js';
import { countsOf, stopWords } from './batch-progress.js';
import { shortDigest } from './plan-view.js';
import { total } from './progress-view.js';

export interface BatchLine {
  readonly batch: BatchView;
  readonly counts: RowCounts;
  /** The budget or limit in the way. */
  readonly heldUpBy: HoldUp | null;
  /** Why it does not go on, where more than a person is missing. */
  readonly heldUp?: readonly string[];
  /** Of a batch that is looked at alone. */
  readonly invoiced?: InvoicedShare;
}

export interface BatchViewOptions {
  readonly nowMs: number;
  readonly columns: number;
  /** No worker is running, or Temporal is away. */
  readonly workersAway?: boolean;
}

/** A line a batch: where it stands and what it waits for. */
export function batchTable(lines: readonly BatchLine[], options: BatchViewOptions): string[] {
  const heads = ['BATCH', 'STATE', 'DONE', 'POSTED/APPROVED', 'WAITING FOR'];
  const rows = lines.map(({ batch, counts, heldUpBy }) => {
    const sums = countsOf(counts);
    return [
      batch.batchId,
      batch.state,
      `${sums.delivered}/${batch.rowsToOrder === 0 ? 0 : total(sums)}`,
      postedOfApproved(batch),
      waitingFor({ batch, counts, heldUpBy }, options),
    ];
  });
  return alignColumns([heads, ...rows]).map((line) => cutEnd(line, options.columns));
}

function postedOfApproved({ money, decision }: BatchView): string {
  const amount = (amountMinor: number) => formatAmount({ amountMinor, currency: money.currency });
  return `${amount(money.posted)}/${decision?.kind === 'approved' ? amount(money.approved) : '-'} ${money.currency}`;
}

function waitingFor({ batch, counts, heldUpBy }: BatchLine, { nowMs, workersAway }: BatchViewOptions): string {
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

/** One batch in full: plan, decision, counts, money, stops. */
export function batchLines(line: BatchLine, options: BatchViewOptions): string[] {
  const { batch, counts, heldUpBy, heldUp = [], invoiced } = line;
  const { batchId, state, manifestName, submittedBy, submittedAtMs, service } = batch;
  const facts: (readonly [string, string])[] = [
    ['state', batch.stateReason === null ? state : `${state}: ${printable(batch.stateReason)}`],
    [
      'from',
      `${printable(manifestName)}, ${batch.rowsInSheet} rows, by ${submittedBy} at ${formatTime(submittedAtMs)}`,
    ],
    ['service', service.rehearsal ? `${service.name} (rehearsal, no charges)` : `${service.name} ${service.baseUrl}`],
    ['plan', planWords(batch)],
    ...decisionFact(batch),
    ['rows', countWords(counts)],
    ['money', moneyWords(batch)],
    ...invoicedFact(invoiced),
    ...(heldUpBy === null ? [] : [['waits for', waitingFor(line, options)] as const]),
    ...batch.stops.map((stop) => ['stop', stopWords(stop)] as const),
    ...heldUp.map((reason) => ['held up', printable(reason)] as const),
  ];
  return [batchId, ...alignColumns(facts).map((fact) => cutEnd(`  ${fact}`, Math.max(options.columns, 60)))];
}

/** Nothing is said before an invoice was read. */
function invoicedFact(share: InvoicedShare | undefined): readonly (readonly [string, string])[] {
  if (!share || share.invoiced === 0) return [];
  const { invoiced, movies, complete } = share;
  return [['invoiced', complete ? `all ${movies} movies` : `${invoiced} of ${movies} movies`]];
}

function planWords({ planDigest, totalMinor, rowsToOrder, money, settings, state, batchId }: BatchView): string {
  if (planDigest === null) return state === 'preparing' ? 'is being priced' : 'none';
  const price = formatMoney({ amountMinor: totalMinor ?? 0, currency: money.currency });
  const next = state === 'waiting' ? `; greenlight approve ${batchId}` : '';
  return `${rowsToOrder} rows for ${price}, ${settings.budgetPath}, digest ${shortDigest(planDigest)}${next}`;
}

function decisionFact({ decision }: BatchView): (readonly [string, string])[] {
  if (!decision) return [];
  const { kind, by, atMs, selfApproved, reason } = decision;
  const self = selfApproved ? ' (self-approved)' : '';
  return [['decision', `${kind} by ${by}${self} at ${formatTime(atMs)}${reason ? `: ${printable(reason)}` : ''}`]];
}

function countWords(counts: RowCounts): string {
  const shown = rowStates.filter((state) => (counts[state] ?? 0) > 0);
  return shown.map((state) => `${state.replaceAll('_', ' ')} ${counts[state]}`).join('  ') || 'none';
}

function moneyWords({ money }: BatchView): string {
  const { currency, approved, posted, held, returned, refunded, overrun, unknown } = money;
  const amount = (amountMinor: number) => formatAmount({ amountMinor, currency });
  const parts = [
    `approved ${amount(approved)}`,
    `posted ${amount(posted)}`,
    `held ${amount(held)}${unknown > 0 ? ` (unknown ${amount(unknown)})` : ''}`,
    ...(returned > 0 ? [`released ${amount(returned)}`] : []),
    ...(refunded > 0 ? [`refunded ${amount(refunded)} (assumed)`] : []),
    ...(overrun > 0 ? [`overrun ${amount(overrun)}`] : []),
  ];
  return `${parts.join('  ')} ${currency}`;
}

/** A line a row: where it stands and why. */
export function rowTable(rows: readonly RowView[], { columns }: BatchViewOptions): string[] {
  const cells = rows.map((row) => [String(row.row), row.rowKey, row.state, progressWords(row), noteOf(row)]);
  const lines = alignColumns([['ROW', 'ID', 'STATE', 'PROGRESS', 'NOTE'], ...cells], [{ align: 'right' }]);
  return lines.map((line) => cutEnd(line, columns));
}

function progressWords({ state, percent, stage, movieId }: RowView): string {
  if (state === 'running' || state === 'overdue')
    return `${percent ?? 0} %${stage === null ? '' : ` ${printable(stage)}`}`;
  return movieId ?? '';
}

function noteOf(row: RowView): string {
  const { alarm, reason, blocked, verdict, cancelRequested, classDetail, ordered } = row;
  if (alarm !== null) return printable(alarm);
  if (blocked) return `${blocked.reason.replaceAll('_', ' ')} since ${formatTime(blocked.sinceMs)}`;
  if (reason !== null) return printable(reason);
  if (cancelRequested) return 'cancel requested';
  if (!ordered && classDetail) return `in ${classDetail.batchId}`;
  return verdict ?? '';
}
