import type { BatchLook } from '../../operations/batches.js';
import type { OperationDeps } from '../../operations/deps.js';
import { billingAssumed, readPlan } from '../../operations/stored-plan.js';
import { summarisePlan } from '../../reports/wording/plan-summary.js';
import type { PlanScreen } from './plan-view.js';

/** The plan of a stored batch as its screen shows it, whatever the number of its rows. */
export async function storedPlan(deps: Pick<OperationDeps, 'ledger'>, look: BatchLook): Promise<PlanScreen> {
  const { batch, levels, sums, named } = await readPlan(deps, look);
  return {
    ...{ name: batch.batchId, budgetPath: batch.settings.budgetPath, levels },
    planDigest: batch.planDigest,
    currency: batch.money.currency,
    rehearsal: batch.service.rehearsal,
    runtimeSeconds: batch.runtimeSeconds ?? 0,
    credits: batch.credits ?? 0,
    assumptions: batch.assumptions,
    billing: await billingAssumed(deps),
    summary: summarisePlan(sums),
    named,
    isApproved: batch.decision?.kind === 'approved',
  };
}
