import type { Billing } from '../domain/policy.js';
import { readPolicy } from '../ledger/access/policies.js';
import { assertSeesBatch } from '../ledger/access/sight.js';
import type { BatchView } from '../ledger/batches/batches.js';
import type { ClassSum } from '../ledger/batches/class-totals.js';
import type { BudgetRecord } from '../ledger/money/budget-levels.js';
import { type NamedRow, namedClasses, namedRows } from '../ledger/plan/named-rows.js';
import { readPlanFigures } from '../ledger/plan/plan-figures.js';
import { planSums } from '../ledger/plan/sealed-figures.js';
import type { BatchLook } from './batches.js';
import type { OperationDeps } from './deps.js';

export { type NamedRow, namedClasses } from '../ledger/plan/named-rows.js';

/** The plan of a stored batch, with its budget read at the same moment. */
export interface StoredPlan {
  readonly batch: BatchView;
  /** The defined levels of its path, outermost first. They count the batch once it is approved. */
  readonly levels: readonly BudgetRecord[];
  readonly sums: readonly ClassSum[];
  /** The first rows of each class that the reader may want to know by name. */
  readonly named: readonly NamedRow[];
}

const namedPerClass = 6;

export async function readPlan(
  { ledger }: Pick<OperationDeps, 'ledger'>,
  { batchId, actor }: BatchLook,
): Promise<StoredPlan> {
  await assertSeesBatch(ledger.db, actor, batchId);
  const sums = await planSums(ledger.db, batchId);
  const classes = namedClasses.filter((name) => sums.some((sum) => sum.class === name));
  const named = await namedRows(ledger.db, { batchId, classes, perClass: namedPerClass });
  return { ...(await readPlanFigures(ledger, batchId)), sums, named };
}

/** How many rows of a batch need a price, and how many have one. */
export async function countPrices(
  { ledger }: Pick<OperationDeps, 'ledger'>,
  { batchId, actor }: BatchLook,
): Promise<{ readonly priced: number; readonly rows: number }> {
  await assertSeesBatch(ledger.db, actor, batchId);
  const ordered = (await planSums(ledger.db, batchId)).filter((sum) => sum.ordered);
  return {
    priced: ordered.reduce((total, { priced }) => total + priced, 0),
    rows: ordered.reduce((total, { rows }) => total + rows, 0),
  };
}

/** What the service is assumed to charge for movies that fail or are canceled. */
export async function billingAssumed({
  ledger,
}: Pick<OperationDeps, 'ledger'>): Promise<{ readonly failed: Billing; readonly canceled: Billing }> {
  return (await readPolicy(ledger.db)).policy.billing;
}
