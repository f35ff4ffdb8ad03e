import { type RowState, rowStates } from '../../domain/row-state.js';

/** Which rows of a batch a page shows, as its address says. */
export interface RowsFilter {
  readonly tab: RowsTab;
  /** The row's id begins so. */
  readonly id: string;
  /** The position of the last row of the page before. */
  readonly after: number | null;
}

/** Rows as people sort them. */
const tabs = {
  all: null,
  trouble: ['failed', 'rejected', 'lost', 'unknown', 'overdue'],
  delivered: ['delivered'],
  saving: ['archiving'],
  'in-progress': ['ordering', 'running'],
  waiting: ['planned', 'blocked'],
  failed: ['failed'],
  rejected: ['rejected'],
  lost: ['lost'],
  unknown: ['unknown'],
  overdue: ['overdue'],
  canceled: ['canceled'],
  'not-ordered': ['unchanged', 'open_elsewhere', 'left_out'],
} as const satisfies Record<string, readonly RowState[] | null>;
export type RowsTab = keyof typeof tabs;
export const rowsTabs = Object.keys(tabs) as readonly RowsTab[]; // the keys of the table above

/** Null for all. */
export function statesOf(tab: RowsTab): readonly RowState[] | null {
  return tabs[tab];
}

export function countOf(tab: RowsTab, counts: Readonly<Partial<Record<RowState, number>>>): number {
  return (statesOf(tab) ?? rowStates).reduce((sum, state) => sum + (counts[state] ?? 0), 0);
}

export function readRowsFilter(query: Readonly<Record<string, string>>): RowsFilter {
  const { state = 'all', id = '', after = '' } = query;
  return {
    tab: state in tabs ? (state as RowsTab) : 'all',
    id: id.trim(),
    after: /^\d{1,9}$/.test(after) ? Number(after) : null,
  };
}

/** The address of another view of the same batch's rows, which keeps what is not changed. */
export function rowsPath(batchId: string, filter: RowsFilter, change: Partial<RowsFilter>): string {
  const { tab, id, after } = { ...filter, after: null, ...change };
  const query = new URLSearchParams({
    ...(tab !== 'all' && { state: tab }),
    ...(id !== '' && { id }),
    ...(after !== null && { after: String(after) }),
  }).toString();
  return `/batches/${batchId}${query === '' ? '' : `?${query}`}#rows`;
}
