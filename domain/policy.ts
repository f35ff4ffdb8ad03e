import type { IdempotencyMode } from './answers/create-outcome.js';
import type { Money } from './money.js';

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
  cancelOverdue: false,
};
