import { formatAmount } from '../../domain/money.js';
import { type SpendGroup, type SpendSum, spendGroups } from '../../reports/spend.js';
import type { Frame } from '../parts/frame.js';
import { A, LinkButton } from '../parts/link.js';
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
        <table class="t">
          <caption class="vh">Money by {by}; days are of UTC</caption>
          <thead>
            <tr>
              <th scope="col">{by === 'day' ? 'Day (UTC)' : `${by[0]?.toUpperCase()}${by.slice(1)}`}</th>
              {['Movies', 'Posted', 'Refunded', 'Corrected', 'Spent'].map((name) => (
                <th scope="col" class={name === 'Spent' || name === 'Movies' ? 'n' : 'n lo'}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sums.map((sum) => (
              <Line sum={sum} />
            ))}
          </tbody>
        </table>
        {sums.length === 0 && <p class="pad top-pad">Nothing was spent so far that you may see.</p>}
      </section>
    </Page>
  );
}

function Line({ sum }: { readonly sum: SpendSum }) {
  const amount = (amountMinor: number) => formatAmount({ amountMinor, currency: sum.currency });
  return (
    <tr>
      <th scope="row">
        {sum.group}
        {sum.rehearsal && <span class="sub">rehearsal</span>}
      </th>
      <td class="n">{sum.movies}</td>
      <td class="n lo">{amount(sum.postedMinor)}</td>
      <td class="n lo">{amount(sum.refundedMinor)}</td>
      <td class="n lo">{amount(sum.correctedMinor)}</td>
      <td class="n money">
        <b>{amount(sum.spentMinor)}</b> {sum.currency}
      </td>
    </tr>
  );
}
