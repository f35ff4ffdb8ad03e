import type { Actor } from '../../domain/roles.js';
import type { BatchView } from '../../ledger/batches/batches.js';
import { readBatch } from '../../operations/batches.js';
import type { OperationDeps } from '../../operations/deps.js';
import { whoApproves } from '../../operations/people.js';
import { nextApprovalWords } from '../../reports/wording/decision-words.js';

/** What comes after a sealed plan, for this person: what the budget lacks, the command with its digest, and who may. */
export async function nextApproval(
  deps: Pick<OperationDeps, 'ledger'>,
  batch: Pick<BatchView, 'batchId' | 'planDigest' | 'submittedBy'>,
  actor: Actor,
): Promise<string> {
  const { batchId, submittedBy } = batch;
  const { heldUpBy } = await readBatch(deps, { batchId, actor });
  const shortBudget = heldUpBy?.kind === 'budget' ? heldUpBy.path : null;
  return nextApprovalWords(batch, { ...(await whoApproves(deps, { submittedBy, actor })), shortBudget });
}
