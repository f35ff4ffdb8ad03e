import type { Policy } from '../domain/policy.js';
import { type AuditVerdict, verifyAudit } from '../ledger/access/audit.js';
import { listBatches } from '../ledger/batches/batches.js';
import { clockSkewMs, skewWords } from '../ledger/database/clock-skew.js';
import { openLedger } from '../ledger/ledger.js';
import { type ChannelHealth, channelHealth } from '../ledger/notices/outbox.js';
import { archiveOf, type LedgerArchive } from '../ledger/progress/ledger-archive.js';
import { haltedBecause } from '../ledger/verification/restored-ledger.js';

export interface LedgerHealth {
  readonly ledgerId: string;
  readonly chain: AuditVerdict;
  /** Why ordering is blocked; null if it is not. */
  readonly halted: string | null;
  /** The archive that it has recorded; null before its first worker, and if each run may have its own. */
  readonly archive: LedgerArchive | null;
  readonly newestBatch: string | null;
  readonly channels: readonly ChannelHealth[];
  /** What is wrong with this machine's clock; null if it is close enough to the database's. */
  readonly clock: string | null;
}

/**
 * Checks whether the ledger at an address can be used. Needs no person: it shows nothing of any campaign but an id.
 *
 * @throws Error when it cannot be opened.
 */
export async function ledgerHealth(url: string): Promise<LedgerHealth> {
  const ledger = await openLedger({ url });
  try {
    const [newest] = await listBatches(ledger, { limit: 1 });
    const [chain, halted] = [await verifyAudit(ledger), await haltedBecause(ledger)];
    return {
      ledgerId: ledger.id,
      chain,
      halted,
      archive: await archiveOf(ledger),
      newestBatch: newest?.batchId ?? null,
      channels: await channelHealth(ledger),
      clock: skewWords(await clockSkewMs(ledger)),
    };
  } finally {
    await ledger.close();
  }
}

export interface MigratedLedger {
  readonly ledgerId: string;
  /** The migrations that were applied now; none if the tables were up to date. */
  readonly applied: readonly string[];
}

/**
 * Creates the tables of a ledger, or migrates them to this version. Needs no person: the database decides who may.
 *
 * @throws SchemaProblem when they are newer, or may not be changed; LedgerAwayError.
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
