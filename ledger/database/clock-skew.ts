import type { DatabaseClock } from './database-clock.js';

/**
 * By how much this machine's clock is ahead of the database's (behind: less than zero), in milliseconds, to the accuracy
 * of a round trip: what the trip may account for is not counted.
 */
export async function clockSkewMs(
  { now }: Pick<DatabaseClock, 'now'>,
  machine: () => number = Date.now,
): Promise<number> {
  const before = machine();
  const database = await now();
  const after = machine();
  if (database < before) return before - database;
  return database > after ? after - database : 0;
}

/** More than clocks that are kept by the network differ, and less than anything that is decided by them. */
const mostSkewMs = 5_000;

/** What is wrong with a clock, and what to do; null where it is near enough. */
export function skewWords(skewMs: number): string | null {
  if (Math.abs(skewMs) <= mostSkewMs) return null;
  const side = skewMs > 0 ? 'ahead of' : 'behind';
  return `this machine's clock is ${Math.round(Math.abs(skewMs) / 1_000)} s ${side} the ledger's database; set it right (NTP)`;
}
