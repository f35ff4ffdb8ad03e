import { formatAmount } from '../../domain/money.js';
import type { StoredPlan } from '../../operations/stored-plan.js';
import { capital } from '../../reports/wording/capital.js';
import { classNote, classWords } from '../../reports/wording/class-words.js';
import type { PlanSummary } from '../../reports/wording/plan-summary.js';
import { MoneyTable } from '../parts/money-table.js';

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
      <MoneyTable
        caption="Rows by class"
        head="Class"
        columns={['Rows', currency]}
        why="Why"
        rows={summary.classes.map((sum) => ({
          name: capital(classWords[sum.class]),
          cells: [
            sum.rows.toLocaleString('en-US'),
            sum.ordered ? amount(sum.amountMinor) : <span class="soft">not ordered</span>,
          ],
          why: classNote(sum) || 'never ordered before',
        }))}
        total={{ name: 'Total', cells: [summary.rowsToOrder.toLocaleString('en-US'), amount(summary.totalMinor)] }}
      />
    </section>
  );
}
