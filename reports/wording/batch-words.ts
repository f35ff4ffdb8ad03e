import { openBatchStates, type RowCounts } from '../../domain/batch-state.js';
import { formatAmount, formatMoney } from '../../domain/money.js';
import type { BatchView } from '../../ledger/batches/batches.js';
import type { InvoicedShare } from '../../ledger/money/invoiced-batches.js';
import { formatDuration } from './duration-text.js';
import { shortDigest } from './plan-words.js';
import { printable } from './printable.js';
import { batchStateWords, countNames, countsOf, rowsText } from './state-words.js';
import { formatTime } from './time-text.js';

/** A batch and how many of its rows are in each state. */
export interface BatchFacts {
  readonly batch: BatchView;
  readonly counts: RowCounts;
}

/** Where a batch stands, as a sentence without its subject: `in progress: 62 of 130 rows delivered, 40 in progress`. */
export function stateSentence({ batch, counts }: BatchFacts): string {
  const { state, stops, stateReason } = batch;
  const why = stateReason === null ? '' : `: ${printable(stateReason)}`;
  switch (state) {
    case 'preparing':
      return `preparing: ${rowsText(batch.rowsInSheet)} being priced`;
    case 'waiting':
      return `waiting for approval: ${rowsText(batch.rowsToOrder)} for ${priceOf(batch)}`;
    case 'making':
      return `${stops[0]?.kind ?? batchStateWords.making}: ${rowsWords({ batch, counts })}`;
    case 'closed':
    case 'canceled':
    case 'unsettled':
      return endSentence({ batch, counts });
    case 'refused':
    case 'expired':
      return `${batchStateWords[state]}${why}`;
    default:
      return state satisfies never;
  }
}

/** How a batch ended: `finished in 6 s: 6 of 6 rows delivered`, `nothing to order: 6 already delivered`. */
export function endSentence({ batch, counts }: BatchFacts): string {
  const { state } = batch;
  if (state === 'closed' && batch.rowsToOrder === 0) return ['nothing to order', ...notOrdered(counts)].join(': ');
  const words =
    state === 'unsettled'
      ? `${batchStateWords.unsettled} after`
      : state === 'canceled'
        ? 'canceled after'
        : 'finished in';
  const took = formatDuration((batch.settledAtMs ?? 0) - (batch.decision?.atMs ?? batch.submittedAtMs));
  const archived = batch.archivedAtMs === null ? '' : `; archived ${formatTime(batch.archivedAtMs)}`;
  return `${words} ${took}: ${rowsWords({ batch, counts })}${archived}`;
}

/** Rows out of rows in: what is not delivered follows, state by state. */
function rowsWords({ batch, counts }: BatchFacts): string {
  const sums = countsOf(counts);
  const rest = countNames.filter((name) => name !== 'delivered' && sums[name] > 0);
  const delivered = `${count(sums.delivered)} of ${rowsText(batch.rowsToOrder)} delivered`;
  return [delivered, ...rest.map((name) => `${count(sums[name])} ${name}`)].join(', ');
}

function count(rows: number): string {
  return rows.toLocaleString('en-US');
}

/** The price of the sealed plan. */
function priceOf({ totalMinor, money }: Pick<BatchView, 'totalMinor' | 'money'>): string {
  return formatMoney({ amountMinor: totalMinor ?? 0, currency: money.currency });
}

/** As `posted 1.50 of approved 2.00 USD` in the width of a column; `-` while nothing is approved. */
export function postedOfApproved({ money, decision }: BatchView): string {
  const amount = (amountMinor: number) => formatAmount({ amountMinor, currency: money.currency });
  return `${amount(money.posted)}/${decision?.kind === 'approved' ? amount(money.approved) : '-'} ${money.currency}`;
}

/** Which sheet, by whom and when. */
export function submittedWords({ manifestName, rowsInSheet, submittedBy, submittedAtMs }: BatchView): string {
  return `${printable(manifestName)}, ${rowsText(rowsInSheet)}, by ${submittedBy} at ${formatTime(submittedAtMs)}`;
}

export function serviceWords({ service }: Pick<BatchView, 'service'>): string {
  return service.rehearsal ? `${service.name} (rehearsal, no charges)` : `${service.name} ${service.baseUrl}`;
}

/** The sealed plan in one line. */
export function planFact(batch: BatchView): string {
  const { planDigest, rowsToOrder, settings, state } = batch;
  if (planDigest === null) return state === 'preparing' ? 'is being priced' : 'none';
  return `${rowsText(rowsToOrder)} for ${priceOf(batch)}, ${settings.budgetPath}, digest ${shortDigest(planDigest)}`;
}

/** Every sum of money that is not zero; posted and held always. */
export function moneyWords({ money }: Pick<BatchView, 'money'>): string {
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

/** The batch's own limit while it places orders; null where it has none. */
export function limitWords({ maxInFlight, state }: Pick<BatchView, 'maxInFlight' | 'state'>): string | null {
  if (maxInFlight === null || !openBatchStates.some((open) => open === state)) return null;
  return `at most ${maxInFlight} in progress at once`;
}

/** How far invoices cover the batch; null before an invoice was read. */
export function invoicedWords(share: InvoicedShare | undefined): string | null {
  if (!share || share.invoiced === 0) return null;
  const { invoiced, movies, complete } = share;
  return complete ? `all ${movies} movies` : `${invoiced} of ${movies} movies`;
}

/** Rows that the batch did not order, by why; null where there are none. */
export function notOrderedWords(counts: RowCounts): string | null {
  const [said] = notOrdered(counts);
  return said === undefined ? null : `not ordered: ${said}`;
}

/** One text, or none. */
function notOrdered(counts: RowCounts): readonly string[] {
  const parts = [
    [counts.unchanged ?? 0, 'already delivered'],
    [counts.open_elsewhere ?? 0, 'in another batch'],
    [counts.left_out ?? 0, 'excluded (see plan)'],
  ] as const;
  const said = parts.filter(([rows]) => rows > 0).map(([rows, words]) => `${rows} ${words}`);
  return said.length === 0 ? [] : [said.join(', ')];
}
