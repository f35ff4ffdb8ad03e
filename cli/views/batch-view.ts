import type { RowView } from '../../ledger/batches/rows.js';
import type { InvoicedShare } from '../../ledger/money/invoiced-batches.js';
import type { BatchStatus } from '../../operations/batches.js';
import {
  invoicedWords,
  limitWords,
  moneyWords,
  planFact,
  postedOfApproved,
  serviceWords,
  stateSentence,
  submittedWords,
} from '../../reports/wording/batch-words.js';
import { decisionFact } from '../../reports/wording/decision-words.js';
import { nextSteps } from '../../reports/wording/next-steps.js';
import { rowNote, rowProgress } from '../../reports/wording/row-words.js';
import { batchStateWords, countsOf, countWords, rowStateWords, totalOf } from '../../reports/wording/state-words.js';
import { reasonWords, type WaitReason } from '../../reports/wording/wait-reason.js';
import { fitTable } from '../terminal/fit-table.js';
import { alignColumns, cutStart, wrapWords } from '../terminal/text-width.js';
import { widthOf } from '../terminal/width-of.js';

export interface BatchLine extends BatchStatus {
  /** Why it does not go on. */
  readonly reasons: readonly WaitReason[];
  /** Of a batch that is looked at alone. */
  readonly invoiced?: InvoicedShare;
}

export interface BatchViewOptions {
  readonly nowMs: number;
  readonly columns: number;
}

const shownReasons = 2;

/** A line a batch: where it stands; below it what it waits for, which is never cut. */
export function batchTable(lines: readonly BatchLine[], { nowMs, columns }: BatchViewOptions): string[] {
  const rows = lines.map(({ batch, counts }) => {
    const sums = countsOf(counts);
    const done = `${sums.delivered}/${batch.rowsToOrder === 0 ? 0 : totalOf(sums)}`;
    return [batchStateWords[batch.state], done, postedOfApproved(batch)];
  });
  const [head = '', ...facts] = alignColumns([['STATE', 'DONE', 'POSTED/APPROVED'], ...rows]);
  const room = columns - Math.max(...[head, ...facts].map(widthOf)) - 2;
  // A name that is cut here is whole in what is to be typed below it.
  const names = lines.map(({ batch }) => cutStart(batch.batchId, Math.max(12, room)));
  const width = Math.max(5, ...names.map(widthOf));
  const line = (name: string, words: string) => `${name}${' '.repeat(width - widthOf(name))}  ${words}`.trimEnd();
  return [
    line('BATCH', head),
    ...lines.flatMap(({ batch, reasons }, index) => {
      const shown = reasons.slice(0, shownReasons).map((reason) => reasonWords(reason, nowMs));
      const rest = reasons.length - shown.length;
      const more = rest === 0 ? [] : [`and ${rest} more: greenlight status ${batch.batchId}`];
      const below = [...shown, ...more].flatMap((words) => wrapWords(`  ${words}`, columns, '    '));
      return [line(names[index] ?? '', facts[index] ?? ''), ...below];
    }),
  ];
}

/** One batch in full: plan, decision, counts, money, and why it does not go on. */
export function batchLines(line: BatchLine, { nowMs, columns }: BatchViewOptions): string[] {
  const { batch, counts, reasons, invoiced } = line;
  const { batchId, decision } = batch;
  const invoicedFact = invoicedWords(invoiced);
  const limitFact = limitWords(batch);
  const facts: (readonly [string, string])[] = [
    ['state', stateSentence(line)],
    ['from', submittedWords(batch)],
    ['service', serviceWords(batch)],
    ['plan', planFact(batch)],
    ...(decision === null ? [] : [['decision', decisionFact(decision)] as const]),
    ['rows', countWords(counts)],
    ...(limitFact === null ? [] : [['limit', limitFact] as const]),
    ['money', moneyWords(batch)],
    ...(invoicedFact === null ? [] : [['invoiced', invoicedFact] as const]),
    ...reasons.map((reason) => ['waits for', reasonWords(reason, nowMs)] as const),
    ...nextSteps({ batch, counts, againMinor: null }).map((step) => ['', step] as const),
  ];
  return [batchId, ...fitTable(facts, { columns, indent: '  ' })];
}

/** A line a row: where it stands and why. */
export function rowTable(rows: readonly RowView[], { columns }: Pick<BatchViewOptions, 'columns'>): string[] {
  const cells = rows.map((row) => [
    ...[String(row.row), row.rowKey, rowStateWords[row.state], rowProgress(row), rowNote(row)],
  ]);
  const heads = ['ROW', 'ID', 'STATE', 'PROGRESS', 'NOTE'];
  return fitTable([heads, ...cells], { columns, align: [{ align: 'right' }] });
}
