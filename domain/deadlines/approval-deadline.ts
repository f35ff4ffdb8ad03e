import type { Policy } from '../policy.js';

const dayMs = 24 * 3_600_000;

/** Until when a plan that is sealed now may be decided on. */
export function approvalDeadline({ approvalDays }: Pick<Policy, 'approvalDays'>, nowMs: number): number {
  return nowMs + approvalDays * dayMs;
}

/** Whether the time to decide has passed, by the database's time. */
export function isExpired({ expires_ms: expiresAtMs }: { readonly expires_ms: number | null }, nowMs: number): boolean {
  return expiresAtMs !== null && nowMs >= expiresAtMs;
}
