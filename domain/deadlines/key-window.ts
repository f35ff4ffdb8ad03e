import type { Policy } from '../policy.js';

/** For how long the service is taken to remember an idempotency key. */
export function keyWindowMs({ idempotency }: Pick<Policy, 'idempotency'>): number {
  return idempotency.windowHours * 60 * 60 * 1_000;
}

/**
 * Whether the service still remembers a key at `nowMs`. Its memory begins with the first send that may have reached
 * it; a repeat does not begin it anew.
 */
export function remembersKey(firstSentMs: number | null, nowMs: number, policy: Pick<Policy, 'idempotency'>): boolean {
  return firstSentMs !== null && nowMs - firstSentMs < keyWindowMs(policy);
}
