import type { BatchStatus } from '../../operations/batches.js';
import { countsOf, rowsText, totalOf } from '../../reports/wording/state-words.js';
import { type Stage, Stages } from '../parts/stages.js';
import { When } from '../parts/time.js';

export function BatchStages({ status }: { readonly status: BatchStatus }) {
  return (
    <Stages stages={[checked(status), planned(status), decided(status), made(status), saved(status), ended(status)]} />
  );
}

const overWithout = ['refused', 'expired'];

function checked({ batch: { rowsInSheet, submittedBy, submittedAtMs } }: BatchStatus): Stage {
  const note = (
    <>
      {rowsText(rowsInSheet)}, {submittedBy} <When atMs={submittedAtMs} />
    </>
  );
  return { mark: 'done', icon: 'delivered', word: 'Check', note };
}

function planned({ batch }: BatchStatus): Stage {
  if (batch.state === 'preparing') return { mark: 'now', icon: 'preparing', word: 'Plan', note: 'being priced' };
  if (batch.sealedAtMs === null) return { mark: 'todo', icon: 'refused', word: 'Plan', note: 'never priced' };
  const note = (
    <>
      {batch.rowsToOrder.toLocaleString('en-US')} to order, <When atMs={batch.sealedAtMs} />
    </>
  );
  return { mark: 'done', icon: 'delivered', word: 'Plan', note };
}

function decided({ batch: { state, decision, expiresAtMs } }: BatchStatus): Stage {
  const word = 'Approve';
  if (decision) {
    const isApproved = decision.kind === 'approved';
    const note = (
      <>
        {isApproved ? '' : 'rejected by '}
        {decision.by}
        {decision.selfApproved && ' (self-approved)'} <When atMs={decision.atMs} />
      </>
    );
    return { mark: 'done', icon: isApproved ? 'delivered' : 'refused', word, note };
  }
  if (state === 'waiting') {
    const note =
      expiresAtMs === null ? (
        'waits for finance'
      ) : (
        <>
          until <When atMs={expiresAtMs} />
        </>
      );
    return { mark: 'ask', icon: 'approval', word, note };
  }
  return { mark: 'todo', icon: 'approval', word, note: overWithout.includes(state) ? 'nobody decided' : 'by finance' };
}

function made({ batch, counts }: BatchStatus): Stage {
  const sums = countsOf(counts);
  const total = totalOf(sums);
  const open = sums.waiting + sums['in progress'];
  const note = `${(total - open).toLocaleString('en-US')} of ${total.toLocaleString('en-US')} ended`;
  if (batch.decision?.kind !== 'approved')
    return { mark: 'todo', icon: 'making', word: 'Make', note: `${total} movies` };
  if (open === 0) return { mark: 'done', icon: 'delivered', word: 'Make', note };
  return { mark: batch.stops.length > 0 ? 'ask' : 'now', icon: 'making', word: 'Make', note };
}

function saved({ batch, counts }: BatchStatus): Stage {
  const { delivered, saving, ...others } = countsOf(counts);
  const isOpen = others.waiting + others['in progress'] + saving > 0;
  if (batch.decision?.kind !== 'approved')
    return { mark: 'todo', icon: 'saving', word: 'Save', note: 'with their hashes' };
  const note = `${delivered.toLocaleString('en-US')} of ${(delivered + saving).toLocaleString('en-US')} saved`;
  return { mark: isOpen ? 'now' : 'done', icon: isOpen ? 'saving' : 'delivered', word: 'Save', note };
}

function ended({ batch: { state, settledAtMs } }: BatchStatus): Stage {
  const word = 'Close';
  if (settledAtMs === null) return { mark: 'todo', icon: 'closed', word, note: 'when all rows end' };
  if (state === 'unsettled') return { mark: 'ask', icon: 'unknown', word, note: 'when the last order is resolved' };
  return { mark: 'done', icon: 'delivered', word, note: <When atMs={settledAtMs} /> };
}
