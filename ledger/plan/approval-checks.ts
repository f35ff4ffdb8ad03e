import { isExpired } from '../../domain/deadlines/approval-deadline.js';
import type { Actor } from '../../domain/roles.js';
import { mayOpen } from '../access/four-eyes.js';
import { readPolicy } from '../access/policies.js';
import { readBatchRecord } from '../batches/batch-record.js';
import { atOneMoment } from '../database/snapshot.js';
import type { Ledger } from '../ledger.js';
import { readLevels } from '../money/budget-levels.js';
import { commitRefusal } from '../money/commit.js';
import { oldEstimates } from './old-estimates.js';
import { otherClasses } from './stale-classes.js';
import { otherPolicy } from './stale-plans.js';

/** What an approval asks, in the order in which it does. */
export const approvalChecks = ['four_eyes', 'deadline', 'policy', 'classes', 'estimates', 'budget'] as const;
export type ApprovalCheck = (typeof approvalChecks)[number];

/** Why each check would refuse an approval now; null for those that pass. */
export type CheckedPlan = Readonly<Record<ApprovalCheck, string | null>>;

/**
 * What `approveBatch` would find for this person at this moment, by the same functions. Changes nothing; the approval
 * asks anew. Null for a batch that does not wait for a decision.
 */
export async function checkPlan(
  ledger: Ledger,
  { batchId, actor }: { readonly batchId: string; readonly actor: Actor },
): Promise<CheckedPlan | null> {
  const nowMs = await ledger.now();
  return atOneMoment(ledger, async (db) => {
    const batch = await readBatchRecord(db, batchId);
    if (batch.state !== 'waiting') return null;
    const permission = await mayOpen(db, { actor, act: 'approve', askedBy: batch.submitted_by });
    const { policy } = await readPolicy(db);
    const old = await oldEstimates(db, batch, { policy, nowMs });
    const levels = await readLevels(db, { path: batch.budget_path, rehearsal: batch.rehearsal === 1 });
    return {
      four_eyes: permission.allowed ? null : permission.reason,
      deadline: isExpired(batch, nowMs) ? 'the approval deadline has passed; submit again' : null,
      policy: await otherPolicy(db, batch),
      classes: await otherClasses(db, batch),
      estimates: old && `its estimates are older than ${old.maxAgeHours} h`,
      budget: withoutHead(commitRefusal(batch, { levels, amountMinor: batch.total_minor ?? 0 })?.message),
    };
  });
}

/** As the sentences of the others: without `Cannot approve spring-launch-3: `. */
function withoutHead(message: string | undefined): string | null {
  return message?.replace(/^Cannot [^:]*: /, '') ?? null;
}
