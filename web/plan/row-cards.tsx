import { formatAmount, formatMoney } from '../../domain/money.js';
import type { LeftOutRow, PlanRows } from '../../operations/batch/plan-rows.js';
import type { StoredPlan } from '../../operations/stored-plan.js';
import { classWords } from '../../reports/wording/class-words.js';
import { A, LinkButton } from '../parts/link.js';
import { MoneyTable } from '../parts/money-table.js';

interface RowCardProps<Row> {
  readonly batch: StoredPlan['batch'];
  readonly rows: readonly Row[];
}

/** Where most of the money goes. */
export function DearestRows({ batch, rows }: RowCardProps<PlanRows['dearest'][number]>) {
  const { batchId, rowsToOrder, money } = batch;
  const { currency } = money;
  if (rows.length === 0) return null;
  const together = rows.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  return (
    <section class="card flush long" aria-labelledby="dearest">
      <div class="row">
        <h2 id="dearest">The most expensive rows</h2>
        <span class="end soft small">
          {rows.length} of {rowsToOrder.toLocaleString('en-US')}, together{' '}
          {formatMoney({ amountMinor: together, currency })}
        </span>
      </div>
      <MoneyTable
        caption="The most expensive rows"
        head="Id"
        columns={['Asked', currency]}
        rows={rows.map(({ rowKey, aspectRatio, durationSeconds, amountMinor }) => ({
          name: <A to={`/batches/${batchId}/rows/${encodeURIComponent(rowKey)}`}>{rowKey}</A>,
          cells: [
            <span class="soft">{[aspectRatio, `${durationSeconds} s`].filter((part) => part !== null).join(' ')}</span>,
            formatAmount({ amountMinor, currency }),
          ],
        }))}
        tight
      />
      <nav class="pager" aria-label="Rows">
        <span>Most expensive first</span>
        <LinkButton size="small" to={`/batches/${batchId}`}>
          All rows
        </LinkButton>
      </nav>
    </section>
  );
}

/** What the sheet has and the plan does not order. */
export function LeftOutRows({ batch, rows }: RowCardProps<LeftOutRow>) {
  if (rows.length === 0) return null;
  const { batchId, rowsInSheet, rowsToOrder, money } = batch;
  const all = rowsInSheet - rowsToOrder;
  return (
    <section class="card flush long" aria-labelledby="left-out">
      <div class="row">
        <h2 id="left-out">Not ordered</h2>
        <span class="end soft small">
          {all > rows.length && `${rows.length} of `}
          {all.toLocaleString('en-US')} rows
        </span>
      </div>
      <MoneyTable
        caption="Rows of the sheet that are not ordered"
        head="Id"
        columns={['Class', 'Paid before']}
        rows={rows.map(({ rowKey, class: of, beforeMinor }) => ({
          name: <A to={`/batches/${batchId}/rows/${encodeURIComponent(rowKey)}`}>{rowKey}</A>,
          cells: [
            <span class="soft">{classWords[of]}</span>,
            beforeMinor === null ? '–' : formatMoney({ amountMinor: beforeMinor, currency: money.currency }),
          ],
        }))}
        tight
      />
    </section>
  );
}
