import { retryable } from '../../domain/row-class.js';
import type { RowState } from '../../domain/row-state.js';
import type { BatchStatus } from '../../operations/batches.js';
import { type RowsFilter, statesOf } from '../batch/rows-filter.js';
import { useFrame } from '../parts/frame.js';
import { LinkButton } from '../parts/link.js';
import { mayDo } from './action-bar.js';

interface BulkLinksProps {
  readonly batch: BatchStatus['batch'];
  readonly filter: RowsFilter;
}

const cancelable: readonly RowState[] = ['planned', 'blocked', 'ordering', 'running', 'overdue', 'unknown'];

/** To act on the rows that a filter shows, on a page of its own; never on all by an empty filter. */
export function BulkLinks({ batch, filter }: BulkLinksProps) {
  const { actor } = useFrame();
  const { batchId, state, decision } = batch;
  if (!actor || (filter.tab === 'all' && filter.id === '')) return null;
  const has = (states: readonly RowState[]) => statesOf(filter.tab)?.some((one) => states.includes(one)) ?? true;
  const query = new URLSearchParams({ state: filter.tab, id: filter.id });
  const isOpen = state === 'making' || state === 'unsettled';
  return (
    <div class="row pad no-print">
      {isOpen && has(cancelable) && mayDo(actor, 'cancel', batch) && (
        <LinkButton to={`/batches/${batchId}/cancel?${query}`} size="small" kind="stop">
          Cancel all of these…
        </LinkButton>
      )}
      {decision?.kind === 'approved' && has(retryable) && mayDo(actor, 'retry', batch) && (
        <LinkButton to={`/batches/${batchId}/retry?${query}`} size="small">
          Retry all of these…
        </LinkButton>
      )}
    </div>
  );
}
