import type { RowCounts } from '../../domain/batch-state.js';
import { formatAmount, formatMoney } from '../../domain/money.js';
import type { BatchStatus } from '../../operations/batches.js';
import { formatDuration } from '../../reports/wording/duration-text.js';
import { countsOf, totalOf } from '../../reports/wording/state-words.js';
import type { WaitReason } from '../../reports/wording/wait-reason.js';
import { FirstReason } from '../batch/why-waiting.js';
import { Bar, type Segment } from '../parts/bar.js';
import { useFrame } from '../parts/frame.js';
import { A } from '../parts/link.js';
import { BatchStateMark } from '../parts/state.js';

export interface BatchLine extends BatchStatus {
  /** Why rows of it wait. */
  readonly reasons: readonly WaitReason[];
}

export function BatchTable({ lines }: { readonly lines: readonly BatchLine[] }) {
  return (
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
          <th scope="col" class="lo">
            Waiting for
          </th>
          <th scope="col" class="n lo">
            Age
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <Line line={line} />
        ))}
      </tbody>
    </table>
  );
}

function Line({ line }: { readonly line: BatchLine }) {
  const { nowMs } = useFrame();
  const { batch, counts, reasons } = line;
  const { batchId, state, manifestName, submittedBy, submittedAtMs } = batch;
  const sums = countsOf(counts);
  const delivered = `${sums.delivered.toLocaleString('en-US')} of ${totalOf(sums).toLocaleString('en-US')}`;
  return (
    <tr>
      <th scope="row">
        <A to={state === 'waiting' ? `/batches/${batchId}/plan` : `/batches/${batchId}`}>{batchId}</A>
        <span class="sub">
          {manifestName} by {submittedBy}
        </span>
        <span class="sub m">
          <BatchStateMark batch={batch} />
          {reasons.length > 0 && (
            <span class="sub">
              <FirstReason reasons={reasons} />
            </span>
          )}
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
        <MoneyOf batch={batch} />
      </td>
      <td class="lo">
        <FirstReason reasons={reasons} />
      </td>
      <td class="n lo soft">{formatDuration(nowMs - submittedAtMs)}</td>
    </tr>
  );
}

function MoneyOf({ batch }: { readonly batch: BatchStatus['batch'] }) {
  const { state, totalMinor, decision, money } = batch;
  const { currency } = money;
  if (state === 'waiting' && totalMinor !== null) {
    return (
      <>
        <span class="soft">asks for</span> {formatMoney({ amountMinor: totalMinor, currency })}
      </>
    );
  }
  if (decision?.kind !== 'approved') return <span class="soft">–</span>;
  return (
    <>
      {formatAmount({ amountMinor: money.posted, currency })} <span class="soft">of</span>{' '}
      {formatMoney({ amountMinor: money.approved, currency })}
    </>
  );
}

/** Rows by what a bar tells apart; those that the batch does not order are not in it. */
export function segmentsOf(counts: RowCounts): readonly Segment[] {
  const sums = countsOf(counts);
  return [
    { fill: 'delivered', value: sums.delivered },
    { fill: 'saving', value: sums.saving },
    { fill: 'making', value: sums['in progress'] },
    { fill: 'unknown', value: sums.unknown + sums.overdue },
    { fill: 'failed', value: sums.failed + sums.rejected + sums.lost + sums.canceled },
    { fill: 'rest', value: sums.waiting },
  ];
}
