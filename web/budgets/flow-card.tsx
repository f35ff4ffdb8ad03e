import { formatAmount, formatMoney } from '../../domain/money.js';
import type { BudgetPage } from '../../operations/money/budget-page.js';
import { Steps } from '../charts/steps.js';
import { thinned } from '../charts/ticks.js';
import { MoneyTable } from '../parts/money-table.js';

const mostDays = 100;
const mostLines = 31;

interface Total {
  readonly day: string;
  readonly atMs: number;
  readonly approved: number;
  readonly spent: number;
}

/** How approved and spent money of a level grew, as a chart and as a table. */
export function FlowCard({ level, flow, nowMs }: Pick<BudgetPage, 'level' | 'flow'> & { readonly nowMs: number }) {
  const totals = totalsOf(flow);
  const [first] = totals;
  const last = totals.at(-1);
  if (!first || !last) return null;
  const { currency, limitMinor } = level;
  const span = Math.max(nowMs - first.atMs, 1);
  const at = (atMs: number) => (atMs - first.atMs) / span;
  const amount = (amountMinor: number) => formatAmount({ amountMinor, currency });
  const shown = thinned(totals, mostDays);
  const points = (of: 'approved' | 'spent') => shown.map((day) => ({ at: at(day.atMs), value: day[of] }));
  return (
    <section class="card" aria-labelledby="days">
      <div class="row">
        <h2 id="days">Since {first.day}</h2>
        <ul class="legend end">
          {(['limit', 'approved', 'posted'] as const).map((tone) => (
            <li>
              <svg class="sample" aria-hidden="true">
                <g class={`line-${tone}`}>
                  <line x1="0" x2="100%" y1="5" y2="5" />
                </g>
              </svg>
              {tone === 'posted' ? 'spent' : tone}
            </li>
          ))}
        </ul>
      </div>
      <Steps
        label={`Approved and spent money of ${level.path} since ${first.day} against the limit of ${amount(limitMinor)}: ${amount(last.approved)} approved, ${formatMoney({ amountMinor: last.spent, currency })} spent`}
        series={[
          { tone: 'limit', points: [{ at: 0, value: limitMinor }] },
          { tone: 'approved', points: points('approved') },
          { tone: 'posted', points: points('spent') },
        ]}
        marks={[
          { at: 0, words: first.day },
          { at: 1, words: 'now' },
        ]}
        format={(value) => amount(Math.round(value))}
      />
      <TotalsTable totals={totals} currency={currency} />
    </section>
  );
}

function totalsOf(flow: BudgetPage['flow']): readonly Total[] {
  let [approved, spent] = [0, 0];
  return flow.map(({ day, approvedMinor, spentMinor }) => {
    approved += approvedMinor;
    spent += spentMinor;
    return { day, atMs: Date.parse(day), approved, spent };
  });
}

function TotalsTable({ totals, currency }: { readonly totals: readonly Total[]; readonly currency: string }) {
  const amount = (amountMinor: number) => formatAmount({ amountMinor, currency });
  return (
    <details>
      <summary>As a table</summary>
      <MoneyTable
        caption={`Approved and spent money to date, ${currency}`}
        head="Until the end of (UTC)"
        columns={['Approved', 'Spent']}
        rows={thinned(totals, mostLines).map(({ day, approved, spent }) => ({
          name: day,
          cells: [amount(approved), amount(spent)],
        }))}
        tight
      />
    </details>
  );
}
