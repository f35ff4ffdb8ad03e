import { assertSeesBatch } from '../../ledger/access/sight.js';
import { type CheckedPlan, checkPlan } from '../../ledger/plan/approval-checks.js';
import type { BatchLook } from '../batches.js';
import type { OperationDeps } from '../deps.js';

export type { ApprovalCheck, CheckedPlan } from '../../ledger/plan/approval-checks.js';

/**
 * Checks what an approval by this person would find now, with the same functions as the approval. Null for a batch that
 * does not wait for a decision.
 */
export async function readApprovalChecks(
  { ledger }: Pick<OperationDeps, 'ledger'>,
  { batchId, actor }: BatchLook,
): Promise<CheckedPlan | null> {
  await assertSeesBatch(ledger.db, actor, batchId);
  return checkPlan(ledger, { batchId, actor });
}
