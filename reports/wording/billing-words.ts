import type { Policy } from '../../domain/policy.js';

/** What the service is taken to charge: its interface does not show it. It stands wherever money does. */
export function billingWords({ failed, canceled }: Policy['billing']): string {
  if (failed === canceled) return `assumed: a movie that fails or is canceled is ${failed}`;
  return `assumed: a movie that fails is ${failed}, one that is canceled is ${canceled}`;
}
