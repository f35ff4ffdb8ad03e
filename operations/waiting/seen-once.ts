import type { WhyWaitingDeps } from '../why-waiting.js';

/** Queries Temporal once for many batches, and not for the trouble of each. */
export function seenOnce({ seeWorkers }: Pick<WhyWaitingDeps, 'seeWorkers'>): WhyWaitingDeps['seeWorkers'] {
  let seen: ReturnType<WhyWaitingDeps['seeWorkers']> | undefined;
  return () => {
    seen ??= seeWorkers(null);
    return seen;
  };
}
