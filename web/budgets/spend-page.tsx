import { formatAmount } from '../../domain/money.js';
import { type SpendGroup, type SpendSum, spendGroups } from '../../reports/spend.js';
import type { Frame } from '../parts/frame.js';
import { A, LinkButton } from '../parts/link.js';
import { type MoneyRow, MoneyTable } from '../parts/money-table.js';
import { Page } from '../parts/page.js';

interface SpendPageProps {
  readonly frame: Frame;
  readonly by: SpendGroup;
  readonly sums: readonly SpendSum[];
}

/** Where money went, by campaign, batch, budget or day. */
export function SpendPage({ frame, by, sums }: SpendPageProps) {
  return (
    <Page frame={frame} title="Spending" here="/budgets">
      <div class="top">
        <div class="row">
          <h1>Spending</h1>
          <span class="end" />
          <LinkButton to={`/spend.csv?by=${by}`} kind="ghost" icon="down" download>
            As CSV
          </LinkButton>
        </div>
        <nav class="tabs" aria-label="Summed by">
          {spendGroups.map((group) => (
            <A to={`/spend?by=${group}`} current={group === by && 'true'}>
              <b>By {group}</b>
            </A>
          ))}
        </nav>
      </div>
      <section class="card flush">
        <MoneyTable
          caption={`Money by ${by}; days are of UTC`}
          head={by === 'day' ? 'Day (UTC)' : `${by[0]?.toUpperCase()}${by.slice(1)}`}
          columns={['Movies', 'Posted', 'Refunded', 'Corrected', 'Spent']}
          hiddenOnPhones={[1, 2, 3]}
          rows={sums.map(rowOf)}
        />
        {sums.length === 0 && <p class="pad top-pad">No spending yet that you can see.</p>}
      </section>
    </Page>
  );
}

function rowOf(sum: SpendSum): MoneyRow {
  const amount = (amountMinor: number) => formatAmount({ amountMinor, currency: sum.currency });
  return {
    name: (
      <>
        {sum.group}
        {sum.rehearsal && <span class="sub">rehearsal</span>}
      </>
    ),
    cells: [
      sum.movies,
      ...[sum.postedMinor, sum.refundedMinor, sum.correctedMinor].map(amount),
      <span class="money">
        <b>{amount(sum.spentMinor)}</b> {sum.currency}
      </span>,
    ],
  };
}
