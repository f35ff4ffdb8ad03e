import type { BatchState } from '../../domain/batch-state.js';

/** Which batches a page shows, as its address says. */
export interface BatchesFilter {
  readonly tab: BatchesTab;
  /** The id, or its campaign, begins so. */
  readonly id: string;
  /** The last batch of the page before. */
  readonly before: { readonly submittedAtMs: number; readonly batchId: string } | null;
}

export const batchesTabs = {
  all: { text: 'All', states: null },
  open: { text: 'Open', states: ['preparing', 'waiting', 'making', 'unsettled'] },
  stopped: { text: 'Held up', states: null },
  ended: { text: 'Ended', states: ['closed', 'canceled', 'refused', 'expired'] },
} as const satisfies Record<string, { readonly text: string; readonly states: readonly BatchState[] | null }>;
export type BatchesTab = keyof typeof batchesTabs;

export function readFilter(query: Readonly<Record<string, string>>): BatchesFilter {
  const { show = 'all', id = '', before = '' } = query;
  const [, ms, batchId] = /^(\d{1,15})~(.+)$/.exec(before) ?? [];
  return {
    tab: show in batchesTabs ? (show as BatchesTab) : 'all',
    id: id.trim(),
    before: batchId === undefined ? null : { submittedAtMs: Number(ms), batchId },
  };
}

/** The address of another view, which keeps what is not changed. */
export function filterPath(filter: BatchesFilter, change: Partial<BatchesFilter>): string {
  const { tab, id, before } = { ...filter, before: null, ...change };
  const query = new URLSearchParams({
    ...(tab !== 'all' && { show: tab }),
    ...(id !== '' && { id }),
    ...(before && { before: `${before.submittedAtMs}~${before.batchId}` }),
  }).toString();
  return query === '' ? '/' : `/?${query}`;
}
