import { mayAct } from '../../domain/roles.js';
import type { BudgetRecord } from '../../operations/money/budgets.js';
import type { Frame } from '../parts/frame.js';
import { LinkButton } from '../parts/link.js';
import { AsOf } from '../parts/live.js';
import { Page } from '../parts/page.js';
import { LevelsTable } from './levels-table.js';

/** Every level that the person may see: real money first, rehearsals apart. */
export function BudgetsPage({ frame, levels }: { readonly frame: Frame; readonly levels: readonly BudgetRecord[] }) {
  const real = levels.filter(({ rehearsal }) => !rehearsal);
  const rehearsed = levels.filter(({ rehearsal }) => rehearsal);
  return (
    <Page frame={frame} title="Budgets" here="/budgets" live="*">
      <div class="top">
        <div class="row">
          <h1>Budgets</h1>
          <AsOf />
          <LinkButton to="/spend" size="small">
            Spending
          </LinkButton>
          {frame.actor && mayAct(frame.actor, 'see_all') && (
            <LinkButton to="/invoices" size="small">
              Invoices
            </LinkButton>
          )}
        </div>
      </div>
      {levels.length === 0 && (
        <p class="say">There is no budget that you can see. Finance defines one: greenlight budget set acme 5000USD</p>
      )}
      <div class="stack" data-part="levels">
        {real.length > 0 && <LevelsTable title="Real money" levels={real} />}
        {rehearsed.length > 0 && <LevelsTable title="Rehearsals" levels={rehearsed} />}
      </div>
    </Page>
  );
}
