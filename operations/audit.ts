import * as audit from '../ledger/access/audit.js';
import { auditCounters, type CounterDifference } from '../ledger/money/counter-check.js';
import { type LedgerFault, ledgerFaults } from '../ledger/progress/orphans.js';
import type { OperationDeps } from './deps.js';

/** Decisions and refused attempts, the newest first. */
export function listAudit({ ledger }: OperationDeps, filter: audit.AuditFilter): Promise<readonly audit.AuditRecord[]> {
  return audit.listAudit(ledger, filter);
}

/** Every record of one object or of all, the oldest first. */
export function eachAudit(
  { ledger }: OperationDeps,
  filter: Pick<audit.AuditFilter, 'object'>,
): AsyncIterable<audit.AuditRecord> {
  return audit.eachAudit(ledger, filter);
}

/** Counters that are not what their entries say; none on sound books. */
export function counterMismatches({ ledger }: Pick<OperationDeps, 'ledger'>): Promise<readonly CounterDifference[]> {
  return auditCounters(ledger);
}

export interface BooksVerdict {
  readonly chain: audit.AuditVerdict;
  /** Counters that are not what their entries say; none on sound books. */
  readonly differences: readonly CounterDifference[];
  /** Orders that must not stand as they do; none on sound books. */
  readonly faults: readonly LedgerFault[];
  /** Movies that were made for orders which had been given up: paid, and for a person to look at. */
  readonly lateMovies: readonly LedgerFault[];
}

/** Recomputes every link of the audit chain, and every counter from the entries of money; looks for orders gone wrong. Mends nothing. */
export async function verifyBooks({ ledger }: OperationDeps): Promise<BooksVerdict> {
  const faults = await ledgerFaults(ledger);
  return {
    chain: await audit.verifyAudit(ledger),
    differences: await auditCounters(ledger),
    faults: faults.filter(({ kind }) => kind !== 'late_movie'),
    lateMovies: faults.filter(({ kind }) => kind === 'late_movie'),
  };
}
