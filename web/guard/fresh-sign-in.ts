import type { Money } from '../../domain/money.js';

/** What an approval by a browser asks of the sign-in. */
export interface FreshSignIn {
  /** How long ago the person may have proved who they are. */
  readonly withinMs: number;
  /** Up to this amount any sign-in will do; null: none does. */
  readonly above: Money | null;
}

export interface SignInProof {
  /** When they proved who they are; null where it is not known. */
  readonly provedMs: number | null;
  readonly nowMs: number;
}

/** Whether somebody has to sign in again before this amount. One of another currency is compared with nothing. */
export function needsFreshSignIn(
  { withinMs, above }: FreshSignIn,
  { amountMinor, currency }: Money,
  { provedMs, nowMs }: SignInProof,
): boolean {
  if (above?.currency === currency && amountMinor <= above.amountMinor) return false;
  return provedMs === null || nowMs - provedMs > withinMs;
}
