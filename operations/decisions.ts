import type { Actor } from '../domain/roles.js';
import { auditedAct } from '../ledger/access/audited-act.js';
import { assertMayOpen } from '../ledger/access/four-eyes.js';
import { readBatchRecord } from '../ledger/batches/batch-record.js';
import type { DecisionView } from '../ledger/batches/batches.js';
import { LedgerError } from '../ledger/ledger.js';
import { readLevels } from '../ledger/money/budget-levels.js';
import { commitRefusal } from '../ledger/money/commit.js';
import { approveBatch, rejectBatch } from '../ledger/plan/decisions.js';
import { findDecision } from '../ledger/plan/record-approval.js';
import type { Notified, OperationDeps } from './deps.js';

export interface ApproveInput {
  readonly batchId: string;
  readonly actor: Actor;
  /** The plan that was read, at least its first 8 digits; by default the one sealed now. */
  readonly digest?: string;
  /** The total as the person typed it. */
  readonly typedAmountMinor?: number;
}

export interface RejectInput {
  readonly batchId: string;
  readonly actor: Actor;
  readonly reason: string;
}

export type Decided = Notified & {
  readonly decision: DecisionView;
  /** Whether it had been decided like this before: nothing changed. */
  readonly isRepeat: boolean;
};

/**
 * Approves a sealed plan: from the commit on its movies may be ordered. Repeated, it returns the first decision.
 *
 * @throws LedgerError `not_allowed`, `other_plan`, `stale_plan`, `stale_estimates`, `no_room` or `wrong_state`.
 */
export async function approve(deps: OperationDeps, input: ApproveInput): Promise<Decided> {
  const { ledger, clock, workflows } = deps;
  try {
    const before = await findDecision(ledger.db, input.batchId);
    const decision = await approveBatch(ledger, { ...input, nowMs: clock() });
    const isRepeat = before?.kind === decision.kind;
    const { state } = await readBatchRecord(ledger.db, input.batchId);
    // A repeated approval of an ended batch leaves the workers nothing to do.
    if (isRepeat && state !== 'making') return { decision, isRepeat, told: true };
    return {
      ...{ decision, isRepeat },
      told: await workflows.startBatch(input.batchId).then(() => workflows.nudgeBatch(input.batchId)),
    };
  } catch (error) {
    // The refusal sent it back to be prepared: its workflow should not wait for its next poll to notice.
    if (error instanceof LedgerError && ['stale_plan', 'stale_estimates'].includes(error.code)) {
      await workflows.nudgeBatch(input.batchId);
    }
    throw error;
  }
}

/**
 * Says why an approval by this person would be refused, before they are asked for the amount; null when they may try.
 * It approves nothing. A refusal is in the audit log like that of any other attempt.
 */
export async function approvalRefusal(
  { ledger, clock }: Pick<OperationDeps, 'ledger' | 'clock'>,
  { batchId, actor }: Pick<ApproveInput, 'batchId' | 'actor'>,
): Promise<LedgerError | null> {
  try {
    await auditedAct(ledger, { actor, act: 'approve', object: batchId, nowMs: clock() }, async (tx) => {
      const batch = await readBatchRecord(tx, batchId);
      await assertMayOpen(tx, { actor, act: 'approve', askedBy: batch.submitted_by }, batchId);
      const levels = await readLevels(tx, { path: batch.budget_path, rehearsal: batch.rehearsal === 1 });
      const refusal = commitRefusal(batch, { levels, amountMinor: batch.total_minor ?? 0 });
      if (refusal) throw refusal;
    });
    return null;
  } catch (error) {
    if (error instanceof LedgerError) return error;
    throw error;
  }
}

/** Rejects a sealed plan, of which nothing was ordered. */
export async function reject({ ledger, clock, workflows }: OperationDeps, input: RejectInput): Promise<Decided> {
  const before = await findDecision(ledger.db, input.batchId);
  const decision = await rejectBatch(ledger, { ...input, nowMs: clock() });
  return { decision, isRepeat: before?.kind === decision.kind, told: await workflows.nudgeBatch(input.batchId) };
}
