import type { Actor } from '../../domain/roles.js';
import type { BatchView } from '../../ledger/batches/batches.js';
import type { OperationDeps } from '../../operations/deps.js';
import { whoApproves } from '../../operations/people.js';
import { nextApprovalWords } from '../../reports/wording/decision-words.js';

/** What comes after a sealed plan, for this person: the command with its digest, and who may type it. */
export async function nextApproval(
  deps: Pick<OperationDeps, 'ledger'>,
  batch: Pick<BatchView, 'batchId' | 'planDigest' | 'submittedBy'>,
  actor: Actor,
): Promise<string> {
  return nextApprovalWords(batch, await whoApproves(deps, { submittedBy: batch.submittedBy, actor }));
}
