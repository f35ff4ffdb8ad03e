import type { RowCounts } from '../../domain/batch-state.js';
import type { BatchView } from '../../ledger/batches/batches.js';
import type { HoldUp } from '../../ledger/batches/hold-up.js';
import type { RowView } from '../../ledger/batches/rows.js';
import type { InvoicedShare } from '../../ledger/money/invoiced-batches.js';
import {
  invoicedWords,
  moneyWords,
  planFact,
  postedOfApproved,
  serviceWords,
  stateSentence,
  submittedWords,
} from '../../reports/wording/batch-words.js';
import { decisionFact } from '../../reports/wording/decision-words.js';
import { printable } from '../../reports/wording/printable.js';
import { rowNote, rowProgress } from '../../reports/wording/row-words.js';
import { batchStateWords, countsOf, countWords, rowStateWords, totalOf } from '../../reports/wording/state-words.js';
import { stopWords } from '../../reports/wording/stop-words.js';
import { waitingFor } from '../../reports/wording/waiting-words.js';
import { alignColumns, cutEnd } from '../terminal/text-width.js';

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
      batchStateWords[batch.state],
      `${sums.delivered}/${batch.rowsToOrder === 0 ? 0 : totalOf(sums)}`,
      postedOfApproved(batch),
      waitingFor({ batch, counts, heldUpBy }, options),
    ];
  });
  return alignColumns([heads, ...rows]).map((line) => cutEnd(line, options.columns));
}

/** One batch in full: plan, decision, counts, money, stops. */
export function batchLines(line: BatchLine, options: BatchViewOptions): string[] {
  const { batch, counts, heldUpBy, heldUp = [], invoiced } = line;
  const { batchId, state, decision } = batch;
  const invoicedFact = invoicedWords(invoiced);
  const next = state === 'waiting' ? `; greenlight approve ${batchId}` : '';
  const facts: (readonly [string, string])[] = [
    ['state', stateSentence(line)],
    ['from', submittedWords(batch)],
    ['service', serviceWords(batch)],
    ['plan', `${planFact(batch)}${next}`],
    ...(decision === null ? [] : [['decision', decisionFact(decision)] as const]),
    ['rows', countWords(counts)],
    ['money', moneyWords(batch)],
    ...(invoicedFact === null ? [] : [['invoiced', invoicedFact] as const]),
    ...(heldUpBy === null ? [] : [['waits for', waitingFor(line, options)] as const]),
    ...batch.stops.map((stop) => ['stop', stopWords(stop)] as const),
    ...heldUp.map((reason) => ['held up', printable(reason)] as const),
  ];
  return [batchId, ...alignColumns(facts).map((fact) => cutEnd(`  ${fact}`, Math.max(options.columns, 60)))];
}

/** A line a row: where it stands and why. */
export function rowTable(rows: readonly RowView[], { columns }: BatchViewOptions): string[] {
  const cells = rows.map((row) => [
    String(row.row),
    row.rowKey,
    rowStateWords[row.state],
    rowProgress(row),
    rowNote(row),
  ]);
  const lines = alignColumns([['ROW', 'ID', 'STATE', 'PROGRESS', 'NOTE'], ...cells], [{ align: 'right' }]);
  return lines.map((line) => cutEnd(line, columns));
}
