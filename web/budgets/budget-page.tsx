import { roomMinor } from '../../domain/budget-room.js';
import { formatAmount, formatMoney } from '../../domain/money.js';
import type { BudgetPage as BudgetFacts } from '../../operations/money/budget-page.js';
import { capital } from '../../reports/wording/capital.js';
import { rowStateWords } from '../../reports/wording/state-words.js';
import { Bar, type Fill, Key } from '../parts/bar.js';
import type { Frame } from '../parts/frame.js';
import { A, LinkButton } from '../parts/link.js';
import { AsOf } from '../parts/live.js';
import { MoneyTable } from '../parts/money-table.js';
import { Page } from '../parts/page.js';
import { CostsCard } from './costs-card.js';
import { FlowCard } from './flow-card.js';
import { HoldsCard, LimitsCard } from './holds-card.js';
import { LevelsTable, usedWords, useOf } from './levels-table.js';
import { budgetPath } from './place.js';

interface BudgetPageProps {
  readonly frame: Frame;
  readonly facts: BudgetFacts;
  readonly mayChange: boolean;
}

/** One level: what is free, how it was used, what it bought. */
export function BudgetPage({ frame, facts, mayChange }: BudgetPageProps) {
  const { level, related } = facts;
  const { path, currency, stoppedMs, limitMinor } = level;
  return (
    <Page frame={frame} title={`Budget ${path}`} here="/budgets" live="*">
      <div class="top">
        <nav class="crumbs" aria-label="Where you are">
          <ol>
            <li>
              <A to="/budgets">Budgets</A>
            </li>
            <li>
              <span aria-current="page">{path}</span>
            </li>
          </ol>
        </nav>
        <div class="row">
          <h1>
            {path}
            {level.rehearsal && ' (rehearsals)'}
          </h1>
          <AsOf />
        </div>
        <p class="lede" data-part="free">
          <b>{formatMoney({ amountMinor: roomMinor(level), currency })} are free</b> of{' '}
          {formatAmount({ amountMinor: limitMinor, currency })}.
        </p>
        <p class="row no-print">
          {mayChange && (
            <>
              <LinkButton to={budgetPath('/budgets/limit', level)} icon="budgets">
                Change limit…
              </LinkButton>
              <LinkButton to={budgetPath(`/budgets/${stoppedMs === null ? 'stop' : 'start'}`, level)} kind="stop">
                {stoppedMs === null ? 'Stop new orders…' : 'Start orders again…'}
              </LinkButton>
            </>
          )}
          {mayChange && (
            <LinkButton to="/invoices" icon="upload">
              Upload invoice
            </LinkButton>
          )}
          <LinkButton to={budgetPath('/budgets/days.csv', level)} kind="ghost" icon="down" download>
            Days as CSV
          </LinkButton>
        </p>
      </div>
      <Now facts={facts} />
      <LevelsTable title="Levels" levels={related} here={path} />
      <FlowCard level={level} flow={facts.flow} nowMs={frame.nowMs} />
      <Bought facts={facts} />
      <CostsCard costs={facts.costs} currency={currency} />
      <HoldsCard holds={facts.holds} currency={currency} nowMs={frame.nowMs} />
      <LimitsCard limits={facts.limits} currency={currency} />
    </Page>
  );
}

function Now({ facts: { level, held } }: { readonly facts: BudgetFacts }) {
  const amount = (amountMinor: number) => formatAmount({ amountMinor, currency: level.currency });
  const figures: readonly (readonly [Fill, string, number, string])[] = [
    ['spent', 'Spent', level.spentMinor, ''],
    ['committed', 'Committed, not spent', level.committedMinor, ''],
    ['held', 'Held for orders now', held.heldMinor, ''],
    ['unknown', 'Of it unknown', held.unknownMinor, ordersWords(held.unknownOrders)],
    ['overrun', 'Overrun', level.overrunMinor, ''],
    ['rest', 'Room', roomMinor(level), ''],
  ];
  return (
    <section class="card" aria-labelledby="now" data-part="now">
      <h2 id="now" class="vh">
        Now
      </h2>
      <dl class="figs">
        {figures.map(([fill, words, minor, note]) => (
          <div>
            <dt>
              <Key fill={fill} />
              {words}
            </dt>
            <dd>
              {amount(minor)} {note !== '' && <small>{note}</small>}
            </dd>
          </div>
        ))}
      </dl>
      <Bar label={usedWords(level)} segments={useOf(level)} size="fat" />
    </section>
  );
}

function Bought({ facts: { level, outcomes } }: { readonly facts: BudgetFacts }) {
  const { currency } = level;
  const posted = outcomes.reduce((sum, { postedMinor }) => sum + postedMinor, 0);
  const delivered = outcomes.find(({ state }) => state === 'delivered')?.movies ?? 0;
  return (
    <section class="card" aria-labelledby="bought">
      <h2 id="bought">What the money bought</h2>
      {outcomes.length === 0 && <p class="soft">Nothing was posted so far.</p>}
      {delivered > 0 && (
        <p class="figure">
          {formatAmount({ amountMinor: Math.round(posted / delivered), currency })}{' '}
          <small>{currency} for each delivered movie</small>
        </p>
      )}
      {outcomes.length > 0 && (
        <MoneyTable
          caption="What was posted, by what became of the movies"
          head="Outcome"
          columns={['Movies', 'Posted']}
          rows={deliveredFirst(outcomes).map(({ state, movies, postedMinor }) => ({
            name: capital(rowStateWords[state]),
            cells: [movies, formatMoney({ amountMinor: postedMinor, currency })],
          }))}
          tight
        />
      )}
    </section>
  );
}

function deliveredFirst(outcomes: BudgetFacts['outcomes']): BudgetFacts['outcomes'] {
  const rank = ({ state, postedMinor }: (typeof outcomes)[number]) => (state === 'delivered' ? Infinity : postedMinor);
  return outcomes.toSorted((one, other) => (rank(other) > rank(one) ? 1 : -1));
}

function ordersWords(orders: number): string {
  if (orders === 0) return '';
  return orders === 1 ? '1 order' : `${orders} orders`;
}
