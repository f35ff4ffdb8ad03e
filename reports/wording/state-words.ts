import type { BatchState, RowCounts } from '../../domain/batch-state.js';
import { type RowState, rowStates } from '../../domain/row-state.js';

/** What people call the state of a batch. Programs keep the state itself. */
export const batchStateWords: Readonly<Record<BatchState, string>> = {
  preparing: 'preparing',
  waiting: 'waiting',
  making: 'in progress',
  closed: 'closed',
  canceled: 'canceled',
  unsettled: 'partially settled',
  refused: 'refused',
  expired: 'expired',
};

/** What people call the state of a row. Programs keep the state itself. */
export const rowStateWords: Readonly<Record<RowState, string>> = {
  planned: 'waiting',
  blocked: 'waiting',
  ordering: 'ordering',
  unknown: 'unknown',
  running: 'in progress',
  overdue: 'overdue',
  archiving: 'saving',
  delivered: 'delivered',
  rejected: 'rejected',
  failed: 'failed',
  canceled: 'canceled',
  lost: 'lost',
  unchanged: 'already delivered',
  open_elsewhere: 'in another batch',
  left_out: 'excluded',
};

/** The sums of a progress screen, in the order in which they are said. */
export const countNames = [
  'delivered',
  'in progress',
  'saving',
  'waiting',
  'failed',
  'rejected',
  'lost',
  'canceled',
  'unknown',
  'overdue',
] as const;
export type CountName = (typeof countNames)[number];
export type Counts = Readonly<Record<CountName, number>>;

/** The states of rows that a batch orders. The others are not part of what is being made. */
const nameOf: Readonly<Partial<Record<RowState, CountName>>> = {
  planned: 'waiting',
  blocked: 'waiting',
  ordering: 'in progress',
  running: 'in progress',
  archiving: 'saving',
  delivered: 'delivered',
  failed: 'failed',
  rejected: 'rejected',
  lost: 'lost',
  canceled: 'canceled',
  unknown: 'unknown',
  overdue: 'overdue',
};

/** Sums the row states that a batch orders. */
export function countsOf(counts: RowCounts): Counts {
  const sums = Object.fromEntries(countNames.map((name) => [name, 0])) as Record<CountName, number>; // all names
  for (const [state, rows] of Object.entries(counts) as [RowState, number][]) {
    const name = nameOf[state];
    if (name) sums[name] += rows;
  }
  return sums;
}

/** All rows that the batch orders. */
export function totalOf(counts: Counts): number {
  return countNames.reduce((sum, name) => sum + counts[name], 0);
}

/** The sums that are not zero, and the rows that the batch does not order, as `delivered 62  in progress 40`. */
export function countWords(counts: RowCounts): string {
  const sums = countsOf(counts);
  const ordered = countNames.filter((name) => sums[name] > 0).map((name) => `${name} ${sums[name]}`);
  const others = rowStates
    .filter((state) => nameOf[state] === undefined && (counts[state] ?? 0) > 0)
    .map((state) => `${rowStateWords[state]} ${counts[state]}`);
  return [...ordered, ...others].join('  ') || 'none';
}

/** The states that people mean by a word, written as on a screen or as programs do; none for a word that is no state. */
export function statesOfWord(word: string): readonly RowState[] {
  const said = word.trim().toLowerCase();
  return rowStates.filter((state) => rowStateWords[state] === said || state === said.replaceAll(' ', '_'));
}

/** As `1 row`, `12 rows`. */
export function rowsText(rows: number): string {
  return rows === 1 ? '1 row' : `${rows.toLocaleString('en-US')} rows`;
}
