import type { Actor } from '../../domain/roles.js';
import type { BatchView } from '../../ledger/batches/batches.js';
import type { OperationDeps } from '../../operations/deps.js';
import { whoApproves } from '../../operations/people.js';

const shownPeople = 3;

/** What comes after a sealed plan, for this person: the command with its digest, and who may type it. */
export async function nextApproval(
  deps: Pick<OperationDeps, 'ledger'>,
  { batchId, planDigest, submittedBy }: Pick<BatchView, 'batchId' | 'planDigest' | 'submittedBy'>,
  actor: Actor,
): Promise<string> {
  const digest = planDigest === null ? '' : ` --digest ${planDigest.slice(0, 12)}`;
  const command = `greenlight approve ${batchId}${digest}`;
  const { isActor, others } = await whoApproves(deps, { submittedBy, actor });
  if (isActor) return `Next: ${command}`;
  if (others.length === 0) {
    return `Next: an admin registers somebody who may approve: greenlight people add <name> --role finance; then ${command}`;
  }
  const more = others.length > shownPeople ? ` or ${others.length - shownPeople} more` : '';
  return `Next, by ${others.slice(0, shownPeople).join(' or ')}${more} (finance): ${command}`;
}
