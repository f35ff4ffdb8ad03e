import * as audit from '../ledger/audit.js';
import { auditCounters, type CounterDifference } from '../ledger/entries.js';
import type { OperationDeps } from './deps.js';

/** Decisions and refused attempts, the newest first. */
export function listAudit({ ledger }: OperationDeps, filter: audit.AuditFilter): Promise<readonly audit.AuditRecord[]> {
  return audit.listAudit(ledger, filter);
}

export interface BooksVerdict {
  readonly chain: audit.AuditVerdict;
  /** Counters that are not what their entries say; none on sound books. */
  readonly differences: readonly CounterDifference[];
}

/** Recomputes every link of the audit chain, and every counter from the entries of money. Mends nothing. */
export async function verifyBooks({ ledger }: OperationDeps): Promise<BooksVerdict> {
  return { chain: await audit.verifyAudit(ledger), differences: await auditCounters(ledger) };
}
