import { assertSeesBatch } from '../../ledger/access/sight.js';
import { type PlanDifference, planDifference } from '../../ledger/plan/plan-difference.js';
import { type LeftOutRow, leftOutRows, type PricedRow } from '../../ledger/plan/priced-rows.js';
import { dearestOfPlan } from '../../ledger/plan/sealed-figures.js';
import type { BatchLook } from '../batches.js';
import type { OperationDeps } from '../deps.js';
import type { StoredPlan } from '../stored-plan.js';

export type { PlanDifference } from '../../ledger/plan/plan-difference.js';
export type { LeftOutRow, PricedRow } from '../../ledger/plan/priced-rows.js';

/** Rows of a plan that an approver may want to see. */
export interface PlanRows {
  /** Null when the campaign has no earlier sealed plan; `later` for a plan so large that it is compared on demand. */
  readonly difference: PlanDifference | 'later' | null;
  readonly dearest: readonly PricedRow[];
  readonly leftOut: readonly LeftOutRow[];
}

/** Above this many rows two plans are compared on demand only: a page has to come at once. */
const maxComparedAtOnce = 10_000;
const limits = { listed: 10, leftOut: 50 };

export async function planRows(
  { ledger }: Pick<OperationDeps, 'ledger'>,
  { batchId, actor, plan, wanted }: BatchLook & { readonly plan: StoredPlan; readonly wanted: boolean },
): Promise<PlanRows> {
  await assertSeesBatch(ledger.db, actor, batchId);
  const { batch, sums } = plan;
  if (batch.planDigest === null) return { difference: null, dearest: [], leftOut: [] };
  const isLarge = batch.rowsInSheet > maxComparedAtOnce && !wanted;
  const hasLeftOut = sums.some(({ ordered }) => !ordered);
  return {
    difference: isLarge ? 'later' : await planDifference(ledger.db, { batchId, listed: limits.listed }),
    dearest: await dearestOfPlan(ledger.db, batchId),
    leftOut: hasLeftOut ? await leftOutRows(ledger.db, { batchId, limit: limits.leftOut }) : [],
  };
}
