import { formatMoney } from '../../domain/money.js';
import type { BatchView, DecisionView } from '../../ledger/batches/batches.js';
import { printable } from './printable.js';
import { formatMoment, formatTime } from './time-text.js';

/** Who decided what, and when; the moment as briefly as it is clear where it is known when this is read. */
export function decisionFact({ kind, by, atMs, selfApproved, reason }: DecisionView, nowMs?: number): string {
  const self = selfApproved ? ' (self-approved)' : '';
  const at = nowMs === undefined ? formatTime(atMs) : formatMoment(atMs, nowMs);
  return `${kind} by ${by}${self} at ${at}${reason ? `: ${printable(reason)}` : ''}`;
}

/** An approval that was just given; one that was there before reads so. */
export function approvalWords(
  batch: Pick<BatchView, 'money' | 'totalMinor'>,
  { decision, isRepeat }: { readonly decision: DecisionView; readonly isRepeat: boolean },
): string {
  const price = formatMoney({ amountMinor: batch.totalMinor ?? 0, currency: batch.money.currency });
  const by = `${decision.selfApproved ? ', self-approved' : ''} by ${decision.by}`;
  if (!isRepeat) return `approved ${price}${by}`;
  return `was approved already: ${price}${by} at ${formatTime(decision.atMs)}`;
}

const shownPeople = 3;

export interface ApproverFacts {
  /** Whether who reads this may approve it. */
  readonly isActor: boolean;
  /** Others who may, by name. */
  readonly others: readonly string[];
  /** The level of the budget that has no room for the plan. */
  readonly shortBudget: string | null;
}

/** What comes after a sealed plan, for this person: the command with its digest, and who may type it. */
export function nextApprovalWords(
  { batchId, planDigest }: Pick<BatchView, 'batchId' | 'planDigest'>,
  { isActor, others, shortBudget }: ApproverFacts,
): string {
  const digest = planDigest === null ? '' : ` --digest ${planDigest.slice(0, 12)}`;
  const limit = shortBudget === null ? '' : `greenlight budget set ${shortBudget} <limit>, then `;
  const command = `${limit}greenlight approve ${batchId}${digest}`;
  if (isActor) return `Next: ${command}`;
  if (others.length === 0) {
    return `Next: an admin registers somebody who may approve: greenlight people add <name> --role finance; then ${command}`;
  }
  return `Next, by ${namesOf(others)} (finance): ${command}`;
}

/** As `dana or lee`, `dana, lee, kim or 2 more`. */
export function namesOf(names: readonly string[]): string {
  const more = names.length > shownPeople ? ` or ${names.length - shownPeople} more` : '';
  return `${names.slice(0, shownPeople).join(' or ')}${more}`;
}
