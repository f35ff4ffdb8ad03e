import { isSettled, isTerminal, type RowState } from './row-state.js';

/**
 * A batch is priced (`preparing`), waits for a decision (`waiting`), makes its movies (`making`) and ends: `closed`
 * when every row is terminal, `canceled` when a person ended it as a whole, `unsettled` while some rows are `unknown`
 * or `overdue`. `refused` and `expired` never spent anything.
 */
export const batchStates = [
  'preparing',
  'waiting',
  'making',
  'closed',
  'canceled',
  'unsettled',
  'refused',
  'expired',
] as const;
export type BatchState = (typeof batchStates)[number];

/** A batch in one of these is in the way of another one of its campaign. */
export const openBatchStates = ['preparing', 'waiting', 'making'] as const satisfies readonly BatchState[];

export type RowCounts = Readonly<Partial<Record<RowState, number>>>;

/** The state that a batch in the making has by its rows; `canceledAsAWhole` names the end that a person chose. */
export function settledAs(
  counts: RowCounts,
  canceledAsAWhole: boolean,
): Extract<BatchState, 'making' | 'closed' | 'canceled' | 'unsettled'> {
  const present = Object.entries(counts).filter(([, count]) => count > 0) as [RowState, number][]; // keys of RowCounts
  if (!present.every(([state]) => isSettled(state))) return 'making';
  if (!present.every(([state]) => isTerminal(state))) return 'unsettled';
  return canceledAsAWhole ? 'canceled' : 'closed';
}
