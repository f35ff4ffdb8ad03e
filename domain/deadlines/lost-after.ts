import type { Policy } from '../policy.js';

/** When a finished movie without its final video counts as lost: `assets.waitHours` of the policy after it finished. */
export function lostAfterMs(finishedAtMs: number, { assetsWaitHours }: Pick<Policy, 'assetsWaitHours'>): number {
  return finishedAtMs + assetsWaitHours * 60 * 60 * 1_000;
}
