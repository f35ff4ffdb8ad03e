import { levelsOf } from '../domain/budget-room.js';
import { listBatches } from '../ledger/batches/batches.js';
import type { OperationDeps } from './deps.js';

/** Further running batches poll the ledger by themselves, within a minute. */
const maxNudges = 200;

/**
 * Makes running batches poll the ledger now, all or those under a budget.
 *
 * @returns whether the workers were notified.
 */
export async function nudgeMaking(
  { ledger, service, workflows }: OperationDeps,
  budgetPath?: string,
): Promise<boolean> {
  const making = await listBatches(ledger, { service, states: ['making'], limit: maxNudges });
  const under = making.filter(
    ({ settings }) => budgetPath === undefined || levelsOf(settings.budgetPath).includes(budgetPath),
  );
  const told = await Promise.all(under.map(({ batchId }) => workflows.nudgeBatch(batchId)));
  return told.every(Boolean);
}
