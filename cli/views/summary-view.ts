import { formatAmount, formatMoney } from '../../domain/money.js';
import type { Policy } from '../../domain/policy.js';
import type { RowState } from '../../domain/row-state.js';
import type { BatchView } from '../../ledger/batches/batches.js';
import type { RowView } from '../../ledger/batches/rows.js';
import { notOrderedWords, stateSentence } from '../../reports/wording/batch-words.js';
import { billingWords } from '../../reports/wording/billing-words.js';
import { nextSteps } from '../../reports/wording/next-steps.js';
import { undeliveredWords } from '../../reports/wording/row-words.js';

export interface SummarySource {
  readonly batch: BatchView;
  readonly counts: Readonly<Partial<Record<RowState, number>>>;
  /** Rows that ended without a movie, or whose end is open; as many as are worth reading. */
  readonly undelivered: readonly RowView[];
  /** Relative to where the person is. */
  readonly folder: string;
  readonly billing: Policy['billing'];
}

/** Rows of these states were ordered and have no movie. */
export const undeliveredStates = [
  'failed',
  'rejected',
  'lost',
  'canceled',
  'unknown',
  'overdue',
] as const satisfies readonly RowState[];

/** Whether every row of the sheet has its movie, made now or before. */
export function isEverythingDelivered(batch: BatchView, counts: SummarySource['counts']): boolean {
  return (counts.delivered ?? 0) + (counts.unchanged ?? 0) === batch.rowsInSheet;
}

/** How a batch ended: rows in and out, money, what is missing and why, where the files are and what to do next. */
export function summaryLines(source: SummarySource): string[] {
  const { batch, folder, billing } = source;
  const notOrdered = notOrderedWords(source.counts);
  if (batch.rowsToOrder === 0) return nothingOrderedLines(source);
  return [
    headLine(source),
    moneyLine(source),
    batch.service.rehearsal ? 'rehearsal: made by the studio, no charges' : billingWords(billing),
    ...missingLines(source),
    ...(notOrdered === null ? [] : [notOrdered]),
    filesLine(folder),
    ...nextLines(source),
  ];
}

function headLine({ batch, counts }: SummarySource): string {
  return `${batch.batchId} ${stateSentence({ batch, counts })}`;
}

function moneyLine({ batch, counts }: SummarySource): string {
  const { currency, approved, posted, held, returned, refunded, overrun } = batch.money;
  const amount = (amountMinor: number) => formatAmount({ amountMinor, currency });
  const parts = [
    `approved ${amount(approved)}`,
    `posted ${amount(posted)}`,
    `held ${amount(held)}`,
    `released ${amount(returned)} ${currency}`,
    ...(refunded > 0 ? [`refunded ${amount(refunded)} (assumed)`] : []),
    ...(overrun > 0 ? [`overrun ${amount(overrun)}`] : []),
  ];
  return `${parts.join('  ')}   checksums verified: ${counts.delivered ?? 0}`;
}

const shownIds = 20;

/** Rows of one state and reason share a line. */
function missingLines({ undelivered, counts, billing }: SummarySource): string[] {
  const groups = new Map<string, RowView[]>();
  for (const row of undelivered) {
    const key = `${row.state}\n${row.reason ?? ''}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const lines = [...groups.values()].map((rows) => {
    const [first] = rows;
    const ids = rows.slice(0, shownIds).map(({ rowKey }) => rowKey);
    const more = rows.length > shownIds ? ` and ${rows.length - shownIds} more` : '';
    return first ? `${ids.join(' ')}${more}  ${undeliveredWords(first, billing)}` : '';
  });
  const known = undelivered.length;
  const all = undeliveredStates.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
  return all > known ? [...lines, `and ${all - known} more: results.csv`] : lines;
}

function filesLine(folder: string): string {
  return `files ${folder} (gallery.html, results.csv, certificate.json)`;
}

/** What is still to be done, by the command that does it. */
function nextLines({ batch, counts, undelivered }: SummarySource): readonly string[] {
  const again = undelivered.filter(({ state }) => ['failed', 'canceled', 'lost'].includes(state));
  const againMinor = again.reduce((sum, row) => sum + (row.amountMinor ?? 0), 0);
  return nextSteps({ batch, counts, againMinor });
}

function nothingOrderedLines(source: SummarySource): string[] {
  const { batch, counts } = source;
  const price = formatMoney({ amountMinor: 0, currency: batch.money.currency });
  const delivered = (counts.delivered ?? 0) + (counts.unchanged ?? 0);
  const words = isEverythingDelivered(batch, counts)
    ? `${batch.rowsInSheet === 1 ? 'its one row is' : `all ${batch.rowsInSheet} rows are`} delivered already`
    : `${delivered} of ${batch.rowsInSheet} rows are delivered`;
  const head = `${batch.batchId} nothing to order, ${price}: ${words}`;
  return [head, ...nextSteps({ batch, counts, againMinor: null })];
}
