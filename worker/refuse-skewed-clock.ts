import { InstallationProblem } from '../home/installation-problem.js';
import { clockSkewMs, skewWords } from '../ledger/database/clock-skew.js';
import type { Ledger } from '../ledger/ledger.js';

/**
 * What is decided by time is decided by the database's. Signed addresses, certificates and logs go by the machine's.
 *
 * @param machine the machine's clock, milliseconds since 1970
 * @throws InstallationProblem
 */
export async function refuseSkewedClock(ledger: Pick<Ledger, 'now'>, machine?: () => number): Promise<void> {
  const words = skewWords(await clockSkewMs(ledger, machine));
  if (words !== null) throw new InstallationProblem(`Cannot start a worker: ${words}`);
}
