import { Hono } from 'hono';
import { parseMoney } from '../../domain/money.js';
import { refusalOf } from '../../operations/access/refusals.js';
import { recordStaleSignIn } from '../../operations/access/stale-sign-in.js';
import { readApprovalChecks } from '../../operations/batch/approval-checks.js';
import { planRows } from '../../operations/batch/plan-rows.js';
import { readBatch } from '../../operations/batches.js';
import { approve, reject } from '../../operations/decisions.js';
import { whoApproves } from '../../operations/people.js';
import { billingAssumed, readPlan, type StoredPlan } from '../../operations/stored-plan.js';
import type { DeskDeps } from '../desk-deps.js';
import { actorOf, type DeskContext, type DeskEnv } from '../desk-env.js';
import { refuse, refuseForm } from '../errors/refuse.js';
import { isSignInTooOld, signInAgainPath } from '../guard/recent-sign-in.js';
import { frameOf } from '../parts/frame.js';
import { toBatch } from '../parts/notices.js';
import { PlanPage } from './plan-page.js';

/** The plan of a batch, and the decision on it. */
export function planRoutes(deps: DeskDeps): Hono<DeskEnv> {
  const routes = new Hono<DeskEnv>();
  routes.get('/batches/:batch/plan', async (c) => c.html(await planPage(deps, c)));
  routes.post('/batches/:batch/approve', async (c) => {
    const batchId = c.req.param('batch');
    const { digest = '', amount = '' } = c.get('form');
    const { batch } = await readBatch(deps, { batchId, actor: actorOf(c) });
    if (isSignInTooOld(c, totalOf(batch))) return signInTooOld(deps, c, batchId);
    const typed = typedAmount(amount, batch.money.currency);
    if (typed === null) {
      const problem = `“${amount}” is not an amount in ${batch.money.currency}. Nothing was approved.`;
      return refuseForm(c, { status: 400, message: problem });
    }
    const actor = actorOf(c);
    try {
      const decided = await approve(deps, { batchId, actor, digest: digest || 'none', typedAmountMinor: typed });
      return toBatch(c, batchId, decided);
    } catch (error) {
      const refusal = refusalOf(error);
      // It is the plan that they read, and another amount was typed: they see it again, and type it again.
      const isMistyped = refusal?.code === 'other_plan' && batch.planDigest === digest;
      if (!isMistyped) return notDecided(c, error, batchId);
      return refuseForm(c, { status: 409, message: `${refusal.message}. Nothing was decided.` });
    }
  });
  routes.post('/batches/:batch/reject', async (c) => {
    const batchId = c.req.param('batch');
    const reason = (c.get('form').reason ?? '').trim();
    if (reason === '') {
      return refuseForm(c, { status: 400, message: 'A rejection needs a reason. Nothing was decided.' });
    }
    try {
      return toBatch(c, batchId, await reject(deps, { batchId, actor: actorOf(c), reason }));
    } catch (error) {
      return notDecided(c, error, batchId);
    }
  });
  return routes;
}

async function planPage(deps: DeskDeps, c: DeskContext) {
  const problem = c.get('kept')?.message;
  const look = { batchId: c.req.param('batch') ?? '', actor: actorOf(c) };
  const plan = await readPlan(deps, look);
  const { submittedBy } = plan.batch;
  const props = {
    status: await readBatch(deps, look),
    checks: await readApprovalChecks(deps, look),
    deciders: await whoApproves(deps, { submittedBy, actor: look.actor }),
    billing: await billingAssumed(deps),
    signInTooOld: isSignInTooOld(c, totalOf(plan.batch)),
    rows: await planRows(deps, { ...look, plan, wanted: c.req.query('difference') === 'yes' }),
  };
  return <PlanPage frame={frameOf(c)} plan={plan} {...props} {...(problem !== undefined && { problem })} />;
}

/** A total that is not known is above every amount. */
function totalOf({ totalMinor, money }: StoredPlan['batch']) {
  return { amountMinor: totalMinor ?? Number.MAX_SAFE_INTEGER, currency: money.currency };
}

/** Whoever sits at a browser that was left open approves nothing. */
async function signInTooOld(deps: DeskDeps, c: DeskContext, batchId: string): Promise<Response> {
  await recordStaleSignIn(deps, { batchId, actor: actorOf(c) });
  return refuse(c, {
    ...{ status: 403, title: 'Sign in again to approve' },
    message: `Your sign-in is too old for this amount. Nothing was decided; your try was written to the audit.`,
    next: { path: signInAgainPath(`/batches/${batchId}/plan`), text: 'Sign in again' },
  });
}

/** As it was typed, with or without its currency. */
function typedAmount(text: string, currency: string): number | null {
  const money = parseMoney(text) ?? parseMoney(`${text} ${currency}`);
  return money?.currency === currency ? money.amountMinor : null;
}

/** Says what is different now, and leads back to the plan. */
function notDecided(c: DeskContext, error: unknown, batchId: string): Response | Promise<Response> {
  const refusal = refusalOf(error);
  const next = { path: `/batches/${batchId}/plan`, text: 'Back to the plan' };
  if (refusal?.kind === 'forbidden') {
    const message = `${refusal.message}. Your try was written to the audit.`;
    return refuse(c, { status: 403, title: 'This is not yours to decide', message, next });
  }
  if (refusal?.kind !== 'conflict') throw error;
  const title = titles[refusal.code] ?? 'It cannot be decided now';
  return refuse(c, { status: 409, title, message: `${refusal.message}. Nothing was decided.`, next });
}

const titles: Readonly<Record<string, string>> = {
  other_plan: 'That is not the present plan',
  stale_plan: 'The plan has changed',
  stale_estimates: 'Its prices are too old',
  no_room: 'The budget has no room for it',
};
