import { formatAmount, formatMoney } from '../../domain/money.js';
import type { LimitPreview } from '../../operations/money/budget-page.js';
import type { BudgetRecord } from '../../operations/money/budgets.js';
import { Crumbs } from '../parts/crumbs.js';
import type { Frame } from '../parts/frame.js';
import { A, Button, LinkButton, PostForm } from '../parts/link.js';
import { Page } from '../parts/page.js';
import { budgetPath } from './place.js';

interface LimitPageProps {
  readonly frame: Frame;
  readonly level: BudgetRecord;
  /** As it was typed; the level's own at first. */
  readonly typed: string;
  /** Why the amount cannot be used. */
  readonly problem: string | null;
  /** What it would change, once an amount was given. */
  readonly preview: (LimitPreview & { readonly limitMinor: number }) | null;
}

/** Amount, then its effect, then the change: three steps of which only the last one does anything. */
export function LimitPage({ frame, level, typed, problem, preview }: LimitPageProps) {
  const { currency, path, rehearsal } = level;
  return (
    <Page frame={frame} title={`Limit of ${path}`} here="/budgets">
      <div class="top">
        <Way level={level} act="Limit" />
        <h1>Change the limit of {path}</h1>
      </div>
      <form class="card narrow" method="get" action={`${frame.basePath}/budgets/limit`}>
        <input type="hidden" name="path" value={path} />
        {rehearsal && <input type="hidden" name="rehearsal" value="yes" />}
        <div class="field">
          <label for="limit">New limit in {currency}</label>
          <input class="in" id="limit" name="limit" inputmode="decimal" value={typed} required />
          {problem !== null && <p class="say bad">{problem}</p>}
        </div>
        <p class="row">
          <Button>Show what it changes</Button>
          <LinkButton to={budgetPath('/budgets/level', level)} kind="ghost">
            Back
          </LinkButton>
        </p>
      </form>
      {preview && <LimitEffect preview={preview} level={level} />}
    </Page>
  );
}

function LimitEffect({
  preview,
  level,
}: {
  readonly preview: NonNullable<LimitPageProps['preview']>;
  readonly level: BudgetRecord;
}) {
  const { currency, path, rehearsal, limitMinor } = level;
  const money = (amountMinor: number) => formatMoney({ amountMinor, currency });
  return (
    <section class="card narrow" aria-labelledby="effect">
      <h2 id="effect">
        {money(limitMinor)} → {money(preview.limitMinor)}
      </h2>
      <p>
        Room {money(preview.roomBeforeMinor)} → <b>{money(preview.roomAfterMinor)}</b>. What is approved continues;
        nothing is canceled.
      </p>
      {preview.shutOut.length > 0 && (
        <ul>
          {preview.shutOut.map(({ batchId, totalMinor }) => (
            <li>
              <A to={`/batches/${batchId}`}>{batchId}</A> for {money(totalMinor)} could no longer be approved
            </li>
          ))}
        </ul>
      )}
      <PostForm to="/budgets/limit" class="row">
        <input type="hidden" name="path" value={path} />
        {rehearsal && <input type="hidden" name="rehearsal" value="yes" />}
        <input type="hidden" name="before" value={String(limitMinor)} />
        <input
          type="hidden"
          name="limit"
          value={formatAmount({ amountMinor: preview.limitMinor, currency }).replaceAll(',', '')}
        />
        <Button kind="go">Set {money(preview.limitMinor)}</Button>
      </PostForm>
    </section>
  );
}

function Way({ level, act }: { readonly level: BudgetRecord; readonly act: string }) {
  const here = { text: level.path, path: budgetPath('/budgets/level', level) };
  return <Crumbs parts={[{ text: 'Budgets', path: '/budgets' }, here, { text: act }]} />;
}

interface StopPageProps {
  readonly frame: Frame;
  readonly level: BudgetRecord;
  readonly act: 'stop' | 'start';
  /** How many batches are in the making under it. */
  readonly making: number;
}

export function StopPage({ frame, level, act, making }: StopPageProps) {
  const { path } = level;
  const batches = making === 1 ? '1 batch' : `${making} batches`;
  return (
    <Page frame={frame} title={`${act === 'stop' ? 'Stop' : 'Start'} ${path}`} here="/budgets">
      <div class="top">
        <Way level={level} act={act === 'stop' ? 'Stop' : 'Start'} />
        <h1>{act === 'stop' ? `Stop new orders under ${path}` : `Start orders under ${path} again`}</h1>
      </div>
      <section class="card narrow">
        <p>
          {act === 'stop'
            ? `From then on nothing more of ${batches} in progress is ordered, real or rehearsal. Movies in progress at the service continue and are saved. Nothing is canceled.`
            : `${batches} in progress may order again, unless another level or a stop of their own prevents it.`}
        </p>
        <PostForm to={`/budgets/${act}`} class="stack">
          <input type="hidden" name="path" value={path} />
          <div class="field">
            <label for="reason">Reason, for the audit</label>
            <input class="in" id="reason" name="reason" maxlength={500} />
          </div>
          <p class="row">
            <Button kind={act === 'stop' ? 'stop' : 'go'}>{act === 'stop' ? 'Stop new orders' : 'Start again'}</Button>
            <LinkButton to={budgetPath('/budgets/level', level)} kind="ghost">
              Back
            </LinkButton>
          </p>
        </PostForm>
      </section>
    </Page>
  );
}
