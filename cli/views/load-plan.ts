import type { BatchView } from '../../ledger/batches/batches.js';
import { sumClasses } from '../../ledger/batches/class-totals.js';
import type { Ledger } from '../../ledger/ledger.js';
import { readLevels } from '../../ledger/money/budget-levels.js';
import { summarisePlan } from './plan-summary.js';
import type { PlanScreen } from './plan-view.js';

/** The plan of a stored batch as its screen shows it, whatever the number of its rows. */
export async function storedPlan(ledger: Ledger, batch: BatchView): Promise<PlanScreen> {
  return {
    name: batch.batchId,
    budgetPath: batch.settings.budgetPath,
    levels: await readLevels(ledger.db, batch.settings.budgetPath),
    planDigest: batch.planDigest,
    currency: batch.money.currency,
    rehearsal: batch.service.rehearsal,
    runtimeSeconds: batch.runtimeSeconds ?? 0,
    credits: batch.credits ?? 0,
    assumptions: batch.assumptions,
    summary: summarisePlan(await sumClasses(ledger, batch.batchId)),
  };
}
