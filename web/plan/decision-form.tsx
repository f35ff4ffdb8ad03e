import { formatAmount, formatMoney } from '../../domain/money.js';
import { mayAct } from '../../domain/roles.js';
import type { CheckedPlan } from '../../operations/batch/approval-checks.js';
import type { Deciders } from '../../operations/people.js';
import type { StoredPlan } from '../../operations/stored-plan.js';
import { shortDigest } from '../../reports/wording/plan-words.js';
import { signInAgainPath } from '../guard/recent-sign-in.js';
import { useFrame } from '../parts/frame.js';
import { Button, Icon, LinkButton, PostForm } from '../parts/link.js';
import { whoMay } from './checks.js';

interface DecisionProps {
  readonly plan: StoredPlan;
  readonly checks: CheckedPlan;
  readonly deciders: Deciders;
  readonly signInTooOld: boolean;
}

/** Who may decide gets the form; everybody else reads who may. */
export function DecisionForm({ plan, checks, deciders, signInTooOld }: DecisionProps) {
  const { actor } = useFrame();
  const { batch } = plan;
  const failed = Object.values(checks).filter((refusal) => refusal !== null);
  return (
    <section class="stick stack no-print" aria-label="Decision">
      {failed.length > 0 || batch.planDigest === null ? (
        <NoApproval plan={plan} checks={checks} deciders={deciders} />
      ) : signInTooOld ? (
        <SignInAgain plan={plan} />
      ) : (
        <ApproveForm plan={plan} digest={batch.planDigest} />
      )}
      {actor && mayAct(actor, 'reject') && <RejectForm batchId={batch.batchId} />}
    </section>
  );
}

function ApproveForm({ plan, digest }: { readonly plan: StoredPlan; readonly digest: string }) {
  const { actor } = useFrame();
  const { batch, levels } = plan;
  const money = { amountMinor: batch.totalMinor ?? 0, currency: batch.money.currency };
  const many = levels.length === 1 ? 'one level' : `${levels.length} levels`;
  return (
    <PostForm class="card" to={`/batches/${batch.batchId}/approve`}>
      <Asked plan={plan} />
      <input type="hidden" name="digest" value={digest} />
      <div class="field">
        <label for="typed">Type the amount to approve</label>
        <input
          class="in big"
          id="typed"
          name="amount"
          inputmode="decimal"
          autocomplete="off"
          aria-describedby="typed-hint"
          required
        />
        <p class="hint" id="typed-hint">
          It shows that the figure was read. Write {formatAmount(money)}
        </p>
      </div>
      <Button kind="go" size="big">
        Approve {formatMoney(money)}
      </Button>
      <p class="hint">
        Commits {formatMoney(money)} at {many} of the budget and lets the orders go. It is written to the audit as{' '}
        {actor?.name}
        {actor?.alone && ', self-approved'}, and cannot be approved twice.
      </p>
    </PostForm>
  );
}

function Asked({ plan: { batch } }: { readonly plan: StoredPlan }) {
  const { totalMinor, rowsToOrder, planDigest, settings, money } = batch;
  return (
    <>
      <div>
        <p class="soft small">You decide on</p>
        <p class="figure">
          {formatAmount({ amountMinor: totalMinor ?? 0, currency: money.currency })} <small>{money.currency}</small>
        </p>
      </div>
      <dl class="facts small">
        <dt>Movies</dt>
        <dd>{rowsToOrder.toLocaleString('en-US')}</dd>
        <dt>Plan</dt>
        <dd class="mono">{planDigest && shortDigest(planDigest)}</dd>
        <dt>Budget</dt>
        <dd>{settings.budgetPath}</dd>
      </dl>
    </>
  );
}

/** Somebody else may sit at a browser that was left open. */
function SignInAgain({ plan }: Pick<DecisionProps, 'plan'>) {
  return (
    <div class="card">
      <Asked plan={plan} />
      <p class="say warn">
        <Icon name="key" />
        <span>Your sign-in is too old for this amount. Sign in once more, and come back to this plan.</span>
      </p>
      <LinkButton to={signInAgainPath(`/batches/${plan.batch.batchId}/plan`)} kind="go" size="big">
        Sign in again
      </LinkButton>
    </div>
  );
}

function NoApproval({ plan, checks, deciders }: Omit<DecisionProps, 'signInTooOld'>) {
  const [first] = Object.values(checks).filter((refusal) => refusal !== null);
  const isOthers = checks.four_eyes !== null;
  return (
    <div class="card">
      <h2>{isOthers ? 'Somebody else decides' : 'It cannot be approved now'}</h2>
      <p class="say warn">
        <Icon name={isOthers ? 'person' : 'review'} />
        <span>{isOthers ? `${whoMay(deciders)}.` : `${first}.`}</span>
      </p>
      {!isOthers && checks.budget !== null && (
        <p class="hint">Finance may raise the limit: greenlight budget set {plan.batch.settings.budgetPath} …</p>
      )}
    </div>
  );
}

function RejectForm({ batchId }: { readonly batchId: string }) {
  return (
    <PostForm class="card" to={`/batches/${batchId}/reject`}>
      <details>
        <summary>Reject with a reason</summary>
        <div class="field">
          <label for="why">Reason</label>
          <textarea class="in" id="why" name="reason" rows={3} required />
          <Button kind="stop">Reject</Button>
        </div>
      </details>
    </PostForm>
  );
}
