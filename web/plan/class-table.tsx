import { formatAmount } from '../../domain/money.js';
import type { StoredPlan } from '../../operations/stored-plan.js';
import { classNote, classWords } from '../../reports/wording/class-words.js';
import type { PlanSummary } from '../../reports/wording/plan-summary.js';

/** What would be ordered, class by class, and what is left out and why. */
export function ClassTable({ batch, summary }: { readonly batch: StoredPlan['batch']; readonly summary: PlanSummary }) {
  const { currency } = batch.money;
  const amount = (amountMinor: number) => formatAmount({ amountMinor, currency });
  const heading = batch.decision?.kind === 'approved' ? 'What was approved' : 'What would be ordered';
  return (
    <section class="card flush" aria-labelledby="classes">
      <div class="row">
        <h2 id="classes">{heading}</h2>
      </div>
      <table class="t">
        <caption class="vh">Rows by class</caption>
        <thead>
          <tr>
            <th scope="col">Class</th>
            <th scope="col" class="n">
              Rows
            </th>
            <th scope="col" class="n">
              {currency}
            </th>
            <th scope="col" class="lo">
              Why
            </th>
          </tr>
        </thead>
        <tbody>
          {summary.classes.map((sum) => (
            <tr>
              <th scope="row">
                {capital(classWords[sum.class])}
                <span class="sub m">{classNote(sum)}</span>
              </th>
              <td class="n">{sum.rows.toLocaleString('en-US')}</td>
              <td class="n">{sum.ordered ? amount(sum.amountMinor) : <span class="soft">not ordered</span>}</td>
              <td class="lo soft">{classNote(sum) || 'never ordered before'}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td class="n">{summary.rowsToOrder.toLocaleString('en-US')}</td>
            <td class="n">{amount(summary.totalMinor)}</td>
            <td class="lo" />
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
