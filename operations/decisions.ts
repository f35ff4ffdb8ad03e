import type { Actor } from '../domain/roles.js';
import type { DecisionView } from '../ledger/batches/batches.js';
import { LedgerError } from '../ledger/ledger.js';
import { approveBatch, rejectBatch } from '../ledger/plan/decisions.js';
import { findDecision } from '../ledger/plan/record-approval.js';
import type { Notified, OperationDeps } from './deps.js';

export interface ApproveInput {
  readonly batchId: string;
  readonly actor: Actor;
  /** The plan that was read, at least its first 8 digits; without one, what is sealed now. */
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
  /** It had been decided so before: this changed nothing. */
  readonly isRepeat: boolean;
};

/**
 * Approves a sealed plan: from the commit on its movies may be ordered. Repeated, it gives the first decision.
 *
 * @throws LedgerError `not_allowed`, `other_plan`, `stale_plan`, `stale_estimates`, `no_room` or `wrong_state`.
 */
export async function approve(deps: OperationDeps, input: ApproveInput): Promise<Decided> {
  const { ledger, clock, workflows } = deps;
  try {
    const before = await findDecision(ledger.db, input.batchId);
    const decision = await approveBatch(ledger, { ...input, nowMs: clock() });
    return {
      ...{ decision, isRepeat: before?.kind === decision.kind },
      told: await workflows.startBatch(input.batchId).then(() => workflows.nudgeBatch(input.batchId)),
    };
  } catch (error) {
    // The refusal sent it back to be prepared: its workflow should not wait for its next look to notice.
    if (error instanceof LedgerError && ['stale_plan', 'stale_estimates'].includes(error.code)) {
      await workflows.nudgeBatch(input.batchId);
    }
    throw error;
  }
}

/** Ends a sealed plan; nothing of it was ordered. */
export async function reject({ ledger, clock, workflows }: OperationDeps, input: RejectInput): Promise<Decided> {
  const before = await findDecision(ledger.db, input.batchId);
  const decision = await rejectBatch(ledger, { ...input, nowMs: clock() });
  return { decision, isRepeat: before?.kind === decision.kind, told: await workflows.nudgeBatch(input.batchId) };
}
