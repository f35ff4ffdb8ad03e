import type { IdempotencyMode } from './answers/create-outcome.js';
import { formatMoney, type Money } from './money.js';

/** What the service is taken to charge for a movie that ends so; the interface does not show it. */
export type Billing = 'charged' | 'refunded';

/** The rules of an installation. They live in the ledger; configuration only seeds those of an empty embedded one. */
export interface Policy {
  /** Who works alone may approve what they submitted, at the terminal. Never where people are registered. */
  readonly solo: boolean;
  readonly billing: { readonly failed: Billing; readonly canceled: Billing };
  readonly idempotency: { readonly mode: IdempotencyMode; readonly windowHours: number };
  readonly estimateMaxAgeHours: number;
  readonly approvalDays: number;
  /** Plans are approved without a person while the sum of 24 hours stays below this, at each budget level. */
  readonly approveBelow: Money | null;
  /** Movies in the making at a service, over all batches; null without a limit. */
  readonly maxInFlight: number | null;
  /** How long a finished movie may go without a final video before it is lost. */
  readonly assetsWaitHours: number;
  /** How long a movie of a batch without a deadline of its own may be in the making before it alarms. */
  readonly deadlineHours: number;
  /** Whether the service is told to cancel a movie that passed its deadline. */
  readonly cancelOverdue: boolean;
}

export const defaultPolicy: Policy = {
  solo: true,
  billing: { failed: 'charged', canceled: 'charged' },
  idempotency: { mode: 'replay', windowHours: 24 },
  estimateMaxAgeHours: 24,
  approvalDays: 7,
  approveBelow: null,
  maxInFlight: null,
  assetsWaitHours: 1,
  deadlineHours: 24,
  cancelOverdue: false,
};

/** One rule as people name and read it. */
export interface PolicyRule {
  readonly name: string;
  readonly show: (policy: Policy) => string;
}

const yesOrNo = (value: boolean) => (value ? 'yes' : 'no');
const orNone = (value: number | null) => (value === null ? 'none' : String(value));

/** Every rule, in the order in which they are shown. */
export const policyRules = [
  { name: 'solo', show: ({ solo }) => yesOrNo(solo) },
  { name: 'approve-below', show: ({ approveBelow }) => (approveBelow === null ? 'none' : formatMoney(approveBelow)) },
  { name: 'approval-days', show: ({ approvalDays }) => String(approvalDays) },
  { name: 'estimate-max-age-hours', show: ({ estimateMaxAgeHours }) => String(estimateMaxAgeHours) },
  { name: 'billing-failed', show: ({ billing }) => billing.failed },
  { name: 'billing-canceled', show: ({ billing }) => billing.canceled },
  { name: 'idempotency', show: ({ idempotency }) => idempotency.mode },
  { name: 'idempotency-window-hours', show: ({ idempotency }) => String(idempotency.windowHours) },
  { name: 'max-in-flight', show: ({ maxInFlight }) => orNone(maxInFlight) },
  { name: 'assets-wait-hours', show: ({ assetsWaitHours }) => String(assetsWaitHours) },
  { name: 'deadline-hours', show: ({ deadlineHours }) => String(deadlineHours) },
  { name: 'cancel-overdue', show: ({ cancelOverdue }) => yesOrNo(cancelOverdue) },
] as const satisfies readonly PolicyRule[];

export interface ChangedRule {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** The rules in which two policies differ. */
export function changedRules(before: Policy, after: Policy): readonly ChangedRule[] {
  return policyRules
    .map(({ name, show }) => ({ name, before: show(before), after: show(after) }))
    .filter((rule) => rule.before !== rule.after);
}

/** Until when a movie that the service accepted should be finished: as its batch says, else as policy does. */
export function deadlineMs(
  acceptedMs: number,
  { deadlineSeconds }: { readonly deadlineSeconds: number | null },
  { deadlineHours }: Pick<Policy, 'deadlineHours'>,
): number {
  return acceptedMs + (deadlineSeconds ?? deadlineHours * 60 * 60) * 1_000;
}
