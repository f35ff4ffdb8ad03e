import type { RowCounts } from '../../domain/batch-state.js';
import { formatAmount } from '../../domain/money.js';
import type { BatchStatus } from '../../operations/batches.js';
import { Bar, type Segment } from '../parts/bar.js';
import type { Frame } from '../parts/frame.js';
import { A } from '../parts/link.js';
import { AsOf } from '../parts/live.js';
import { Page } from '../parts/page.js';
import { BatchStateMark } from '../parts/state.js';

export function BatchesPage({ frame, lines }: { readonly frame: Frame; readonly lines: readonly BatchStatus[] }) {
  return (
    <Page frame={frame} title="Batches" here="/" live="*">
      <div class="top">
        <div class="row">
          <h1>Batches</h1>
          <AsOf />
        </div>
      </div>
      <section class="card flush" aria-labelledby="all" data-part="batches">
        <div class="row">
          <h2 id="all">All batches</h2>
        </div>
        <table class="t">
          <caption class="vh">Batches, the newest first</caption>
          <thead>
            <tr>
              <th scope="col">Batch</th>
              <th scope="col" class="lo">
                State
              </th>
              <th scope="col">Delivered</th>
              <th scope="col" class="n">
                Posted
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <Line {...line} />
            ))}
          </tbody>
        </table>
      </section>
    </Page>
  );
}

function Line({ batch, counts }: BatchStatus) {
  const { batchId, manifestName, submittedBy, money } = batch;
  const amount = (amountMinor: number) => formatAmount({ amountMinor, currency: money.currency });
  const delivered = `${counts.delivered ?? 0} of ${batch.rowsToOrder}`;
  return (
    <tr>
      <th scope="row">
        <A to={`/batches/${batchId}`}>{batchId}</A>
        <span class="sub">
          {manifestName} by {submittedBy}
        </span>
        <span class="sub m">
          <BatchStateMark batch={batch} />
        </span>
      </th>
      <td class="lo">
        <BatchStateMark batch={batch} />
      </td>
      <td class="done">
        {delivered}
        <Bar label={`${delivered} delivered`} segments={segmentsOf(counts)} size="thin" />
      </td>
      <td class="n money">
        {amount(money.posted)} {money.currency}
      </td>
    </tr>
  );
}

/** Rows by what a bar tells apart; those that the batch does not order are not in it. */
export function segmentsOf(counts: RowCounts): readonly Segment[] {
  const of = (...states: (keyof RowCounts)[]) => states.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
  return [
    { fill: 'delivered', value: of('delivered') },
    { fill: 'saving', value: of('archiving') },
    { fill: 'making', value: of('running', 'ordering') },
    { fill: 'unknown', value: of('unknown', 'overdue') },
    { fill: 'failed', value: of('failed', 'rejected', 'lost', 'canceled') },
    { fill: 'rest', value: of('planned', 'blocked') },
  ];
}
