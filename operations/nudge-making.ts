import { levelsOf } from '../domain/budget-room.js';
import { listBatches } from '../ledger/batches/batches.js';
import type { OperationDeps } from './deps.js';

/** More batches in the making than this look at the ledger by themselves, within a minute. */
const mostNudges = 200;

/**
 * Has the batches in the making look at the ledger now, all or those under a budget.
 *
 * @returns whether the workers were told.
 */
export async function nudgeMaking(
  { ledger, service, workflows }: OperationDeps,
  budgetPath?: string,
): Promise<boolean> {
  const making = await listBatches(ledger, { service, states: ['making'], limit: mostNudges });
  const under = making.filter(
    ({ settings }) => budgetPath === undefined || levelsOf(settings.budgetPath).includes(budgetPath),
  );
  const told = await Promise.all(under.map(({ batchId }) => workflows.nudgeBatch(batchId)));
  return told.every(Boolean);
}
