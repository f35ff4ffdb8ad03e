import { formatAmount, formatMoney } from '../../domain/money.js';
import type { BudgetPage } from '../../operations/money/budget-page.js';
import { formatDuration } from '../../reports/wording/duration-text.js';
import { A } from '../parts/link.js';
import { MoneyTable } from '../parts/money-table.js';
import { When } from '../parts/time.js';

interface HoldsCardProps extends Pick<BudgetPage, 'holds'> {
  readonly currency: string;
  readonly nowMs: number;
}

const endsBy = {
  ordering: 'the service’s answer',
  unknown: 'proof, or two people who say the same',
} as const;

/** Money that is held for orders, by how long already: a hold that grows old is a question. */
export function HoldsCard({ holds, currency, nowMs }: HoldsCardProps) {
  if (holds.length === 0) return null;
  return (
    <section class="card flush" aria-labelledby="holds">
      <div class="row">
        <h2 id="holds">Money that is held</h2>
        <span class="end soft small">a hold ends once: posted or released</span>
      </div>
      <MoneyTable
        caption="Held money by age"
        head="Since"
        columns={['Orders', currency]}
        why="What ends it"
        rows={holds.map(({ fromMs, state, orders, amountMinor, oldest }) => ({
          name: (
            <>
              {fromMs === 0 ? 'under a minute' : `over ${formatDuration(fromMs)}`}
              {oldest && (
                <span class="sub any">
                  <A to={`/batches/${oldest.batchId}/rows/${encodeURIComponent(oldest.rowKey)}`}>{oldest.rowKey}</A> of{' '}
                  {oldest.batchId}, {formatDuration(nowMs - oldest.sinceMs)}
                </span>
              )}
            </>
          ),
          cells: [orders.toLocaleString('en-US'), formatAmount({ amountMinor, currency })],
          why: endsBy[state],
        }))}
      />
    </section>
  );
}

/** Who set which limit, and when. */
export function LimitsCard({ limits, currency }: Pick<BudgetPage, 'limits'> & { readonly currency: string }) {
  if (limits.length === 0) return null;
  return (
    <section class="card flush" aria-labelledby="limits">
      <div class="row">
        <h2 id="limits">Limits so far</h2>
      </div>
      <MoneyTable
        caption="Limits of this level, the newest first"
        head="When"
        columns={['Before', 'Limit']}
        rows={limits.map(({ atMs, by, beforeMinor, limitMinor }) => ({
          name: (
            <>
              <When atMs={atMs} />
              <span class="sub">{by}</span>
            </>
          ),
          cells: [
            beforeMinor === null ? 'new' : formatAmount({ amountMinor: beforeMinor, currency }),
            formatMoney({ amountMinor: limitMinor, currency }),
          ],
        }))}
      />
    </section>
  );
}
