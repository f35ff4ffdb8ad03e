import type { BatchView } from '../ledger/batches.js';
import { readLevels } from '../ledger/budget-levels.js';
import type { Ledger } from '../ledger/ledger.js';
import { eachRow } from '../ledger/rows.js';
import { type PlanSummary, type SummarisedRow, summarisePlan } from './plan-summary.js';
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
    summary: await summaryOf(ledger, batch.batchId),
  };
}

function summaryOf(ledger: Ledger, batchId: string): Promise<PlanSummary> {
  return summarisePlan(rowsOf(ledger, batchId));
}

async function* rowsOf(ledger: Ledger, batchId: string): AsyncGenerator<SummarisedRow> {
  for await (const row of eachRow(ledger, batchId)) yield { ...row, problem: row.ordered ? row.estimateProblem : null };
}
