import { formatMoney } from '../../domain/money.js';
import type { Billing } from '../../domain/policy.js';
import type { CheckedPlan } from '../../operations/batch/approval-checks.js';
import type { PlanRows } from '../../operations/batch/plan-rows.js';
import type { BatchStatus } from '../../operations/batches.js';
import type { Deciders } from '../../operations/people.js';
import type { StoredPlan } from '../../operations/stored-plan.js';
import { capital } from '../../reports/wording/capital.js';
import { decisionFact } from '../../reports/wording/decision-words.js';
import { summarisePlan } from '../../reports/wording/plan-summary.js';
import { roomWords } from '../../reports/wording/plan-words.js';
import { BatchNav } from '../batch/batch-nav.js';
import { BatchStages } from '../batch/batch-stages.js';
import { Crumbs } from '../parts/crumbs.js';
import type { Frame } from '../parts/frame.js';
import { Page } from '../parts/page.js';
import { Problem } from '../parts/problem.js';
import { BatchStateMark } from '../parts/state.js';
import { When } from '../parts/time.js';
import { Checks } from './checks.js';
import { ClassTable } from './class-table.js';
import { DecisionForm } from './decision-form.js';
import { Difference } from './difference.js';
import { Levels } from './levels.js';
import { DearestRows, LeftOutRows } from './row-cards.js';
import { Assumed, Digest } from './small-print.js';

export interface PlanPageProps {
  readonly frame: Frame;
  readonly plan: StoredPlan;
  readonly status: BatchStatus;
  /** Null where nothing is to be decided. */
  readonly checks: CheckedPlan | null;
  readonly deciders: Deciders;
  readonly billing: { readonly failed: Billing; readonly canceled: Billing };
  /** They have to prove once more who they are before they approve this amount. */
  readonly signInTooOld: boolean;
  readonly rows: PlanRows;
  /** What was wrong with the form that was sent. */
  readonly problem?: string;
}

export function PlanPage(props: PlanPageProps) {
  const { frame, plan, status, checks, deciders, billing, signInTooOld, rows, problem } = props;
  const { batch, levels } = plan;
  const { batchId } = batch;
  const summary = summarisePlan(plan.sums);
  const isWaiting = checks !== null;
  return (
    <Page frame={frame} title={`Plan of ${batchId}`} here="/" printStyle={`/batches/${batchId}/print.css`}>
      <div class="top">
        <Crumbs
          parts={[{ text: 'Batches', path: '/' }, { text: batchId, path: `/batches/${batchId}` }, { text: 'Plan' }]}
        />
        <div class="row">
          <h1>{titleOf(batch, isWaiting)}</h1>
          <BatchStateMark batch={batch} pill />
        </div>
        <p class="lede">
          {batch.submittedBy} submitted <b>{batch.manifestName}</b>, <When atMs={batch.submittedAtMs} />.{' '}
          {batch.decision
            ? `It was ${decisionFact(batch.decision, frame.nowMs)}.`
            : `${sentence(roomWords({ budgetPath: batch.settings.budgetPath, levels, totalMinor: summary.totalMinor, isApproved: false }))} Nothing is ordered before somebody decides.`}
        </p>
        <BatchNav batch={batch} here="plan" />
      </div>
      {problem && <Problem>{problem}</Problem>}
      <BatchStages status={status} />
      <div class={isWaiting ? 'split first' : 'stack'}>
        <div class="stack">
          {checks && <Checks plan={plan} checks={checks} deciders={deciders} />}
          <ClassTable batch={batch} summary={summary} />
          <Levels plan={plan} totalMinor={summary.totalMinor} />
          <Difference batchId={batchId} currency={batch.money.currency} difference={rows.difference} />
          <DearestRows batch={batch} rows={rows.dearest} />
          <LeftOutRows batch={batch} rows={rows.leftOut} />
          <Assumed batch={batch} billing={billing} />
          {batch.planDigest && <Digest batch={batch} digest={batch.planDigest} />}
        </div>
        {checks && <DecisionForm {...{ plan, checks, deciders, signInTooOld }} />}
      </div>
    </Page>
  );
}

function titleOf(batch: StoredPlan['batch'], isWaiting: boolean): string {
  const { batchId, rowsToOrder, totalMinor, money, state } = batch;
  if (state === 'preparing') return `${batchId} is being priced`;
  const movies = rowsToOrder === 1 ? '1 movie' : `${rowsToOrder.toLocaleString('en-US')} movies`;
  const price = formatMoney({ amountMinor: totalMinor ?? 0, currency: money.currency }).replace(' ', '\u00a0');
  return isWaiting ? `Approve ${movies} for ${price}?` : `${movies} for ${price}`;
}

function sentence(words: string): string {
  return `${capital(words)}.`;
}
