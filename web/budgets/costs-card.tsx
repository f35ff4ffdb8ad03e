import { formatAmount } from '../../domain/money.js';
import type { BudgetPage } from '../../operations/money/budget-page.js';
import { A } from '../parts/link.js';

type Cost = BudgetPage['costs'][number];

/** Of each batch what it was to cost, what was posted and what was invoiced: as marks on one scale, and in figures. */
export function CostsCard({ costs, currency }: { readonly costs: readonly Cost[]; readonly currency: string }) {
  if (costs.length === 0) return null;
  const most = Math.max(...costs.flatMap(valuesOf));
  const amount = (amountMinor: number) => formatAmount({ amountMinor, currency });
  return (
    <section class="card flush" aria-labelledby="costs">
      <div class="row">
        <h2 id="costs">Estimate, posted, invoiced</h2>
        <ul class="legend end">
          {marks.map((mark) => (
            <li>
              <svg class="dots sample" aria-hidden="true">
                <Mark mark={mark} x="50%" />
              </svg>
              {mark}
            </li>
          ))}
        </ul>
      </div>
      <table class="t mid">
        <caption class="vh">The newest batches by what they cost, {currency}</caption>
        <thead>
          <tr>
            <th scope="col">Batch</th>
            <th scope="col">{currency}</th>
            <th scope="col" class="n lo">
              Estimate
            </th>
            <th scope="col" class="n">
              Posted
            </th>
            <th scope="col" class="n lo">
              Invoiced
            </th>
          </tr>
        </thead>
        <tbody>
          {costs.map((cost) => (
            <tr class="mid">
              <th scope="row" class="name">
                <A to={`/batches/${cost.batchId}`}>{cost.batchId}</A>
              </th>
              <td class="bars">
                <Dots cost={cost} most={most} />
              </td>
              <td class="n lo">{amount(cost.estimateMinor)}</td>
              <td class="n">{amount(cost.postedMinor)}</td>
              <td class="n lo">{cost.invoicedMinor === null ? 'not yet' : amount(cost.invoicedMinor)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const marks = ['estimate', 'posted', 'invoiced'] as const;

function valuesOf({ estimateMinor, postedMinor, invoicedMinor }: Cost): readonly number[] {
  return [estimateMinor, postedMinor, ...(invoicedMinor === null ? [] : [invoicedMinor])];
}

/** The figures stand beside it. */
function Dots({ cost, most }: { readonly cost: Cost; readonly most: number }) {
  const values = valuesOf(cost);
  const at = (value: number) => `${((Math.max(0, value) / most) * 96 + 2).toFixed(1)}%`; // a mark stays whole
  return (
    <svg class="dots" aria-hidden="true">
      <line x1={at(Math.min(...values))} x2={at(Math.max(...values))} y1="8" y2="8" />
      {values.map((value, index) => (
        <Mark mark={marks[index] ?? 'estimate'} x={at(value)} />
      ))}
    </svg>
  );
}

function Mark({ mark, x }: { readonly mark: (typeof marks)[number]; readonly x: string }) {
  if (mark === 'estimate') return <line class="estimate" x1={x} x2={x} y1="2" y2="14" />;
  return <circle class={mark} cx={x} cy="8" r={mark === 'posted' ? '5' : '4'} />;
}
