import { InstallationProblem } from '../home/installation-problem.js';
import { clockSkewMs, skewWords } from '../ledger/database/clock-skew.js';
import type { Ledger } from '../ledger/ledger.js';

/**
 * Decisions by time use the database's clock. Signed addresses, certificates and logs use the machine's.
 *
 * @param machine the machine's clock, milliseconds since 1970
 * @throws InstallationProblem
 */
export async function refuseSkewedClock(ledger: Pick<Ledger, 'now'>, machine?: () => number): Promise<void> {
  const words = skewWords(await clockSkewMs(ledger, machine));
  if (words !== null) throw new InstallationProblem(`Cannot start a worker: ${words}`);
}
