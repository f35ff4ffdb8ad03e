import { type BatchView, readBatchIn } from '../batches/batches.js';
import { atOneMoment } from '../database/snapshot.js';
import type { Ledger } from '../ledger.js';
import { type BudgetRecord, readLevels } from '../money/budget-levels.js';

/**
 * A batch and the budget levels of its path at one moment: whether the levels count the batch already is then what its
 * decision says.
 */
export function readPlanFigures(
  ledger: Ledger,
  batchId: string,
): Promise<{ readonly batch: BatchView; readonly levels: readonly BudgetRecord[] }> {
  return atOneMoment(ledger, async (db) => {
    const batch = await readBatchIn(db, batchId);
    return {
      batch,
      levels: await readLevels(db, { path: batch.settings.budgetPath, rehearsal: batch.service.rehearsal }),
    };
  });
}
