import type { Actor } from '../../../domain/roles.js';
import { readBatch } from '../../../operations/batches.js';
import { approve, type Decided as DecidedView, reject } from '../../../operations/decisions.js';
import { whoApproves } from '../../../operations/people.js';
import { readPlan } from '../../../operations/stored-plan.js';
import { decisionJson } from '../../../reports/decision-json.js';
import type { ApiDeps } from '../api-deps.js';
import { apiRoute, json } from '../api-route.js';
import { ApiProblem } from '../problem.js';
import { Approval, Decided, Rejection } from '../schemas/acts.js';
import { Plan, planJson } from '../schemas/plan.js';

export const planRoutes = [
  apiRoute({
    ...{ operationId: 'getPlan', method: 'get', path: '/batches/{batch}/plan' },
    summary: 'Get the plan of a batch',
    description: 'What would be ordered, for how much and from which budget, and who may approve it.',
    answers: { 200: { description: 'The plan', schema: Plan } },
    refusals: ['unknown-batch'],
    async handle({ deps, actor, path: { batch: batchId = '' } }) {
      const plan = await readPlan(deps, { batchId, actor });
      return json(planJson(plan, await whoApproves(deps, { submittedBy: plan.batch.submittedBy, actor })));
    },
  }),
  apiRoute({
    ...{ operationId: 'approvePlan', method: 'post', path: '/batches/{batch}/approve' },
    summary: 'Approve a plan',
    description:
      'From then on its movies are ordered. The digest and the amount are those that were read: another plan, or another amount, is refused. Repeated, it answers with the first decision. Needs the finance role, and the submitter cannot.',
    body: Approval,
    answers: { 200: { description: 'The decision', schema: Decided } },
    refusals: ['unknown-batch', 'other-plan', 'stale-plan', 'stale-estimates', 'no-budget', 'no-room', 'wrong-state'],
    async handle({ deps, actor, path: { batch: batchId = '' }, body: { digest, amount } }) {
      await assertCurrency(deps, { batchId, actor, currency: amount.currency });
      const decided = await approve(deps, { batchId, actor, digest, typedAmountMinor: amount.amount_minor });
      return json(decidedJson(decided));
    },
  }),
  apiRoute({
    ...{ operationId: 'rejectPlan', method: 'post', path: '/batches/{batch}/reject' },
    summary: 'Reject a plan',
    description: 'Ends it; nothing was ordered. Repeated, it answers with the first decision. Needs the finance role.',
    body: Rejection,
    answers: { 200: { description: 'The decision', schema: Decided } },
    refusals: ['unknown-batch', 'wrong-state'],
    async handle({ deps, actor, path: { batch: batchId = '' }, body: { reason } }) {
      return json(decidedJson(await reject(deps, { batchId, actor, reason })));
    },
  }),
];

/** The digest is over the currency too, so that a plan in another one cannot slip in between. */
async function assertCurrency(
  deps: ApiDeps,
  { batchId, actor, currency }: { readonly batchId: string; readonly actor: Actor; readonly currency: string },
): Promise<void> {
  const { batch } = await readBatch(deps, { batchId, actor });
  if (batch.money.currency === currency) return;
  throw new ApiProblem('other-plan', `Cannot approve ${batchId}: it costs ${batch.money.currency}, not ${currency}`);
}

function decidedJson({ decision, isRepeat, told }: DecidedView) {
  return { decision: decisionJson(decision), repeated: isRepeat, told };
}
