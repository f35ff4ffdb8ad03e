import type { Policy } from '../domain/policy.js';
import { openLedger } from '../ledger/ledger.js';

export interface MigratedLedger {
  readonly ledgerId: string;
  /** The versions of its tables that were applied now; none where they were of this one. */
  readonly applied: readonly string[];
}

/**
 * Makes the tables of a ledger, or brings them to this version. Asks for nobody: who may do it is the database's own to
 * say.
 *
 * @throws SchemaProblem where they are newer, or may not be changed; LedgerAwayError.
 */
export async function migrateLedger(url: string, seed: Partial<Policy>): Promise<MigratedLedger> {
  let applied: readonly string[] = [];
  const onMigrated = (versions: readonly string[]) => {
    applied = versions;
  };
  const ledger = await openLedger({ url, seed, migrate: true, onMigrated });
  await ledger.close();
  return { ledgerId: ledger.id, applied };
}
