import { auditEnd } from '../../ledger/access/audit.js';
import { currenciesOf } from '../../ledger/batches/currencies.js';
import { listAudit as list, type listAudit } from '../audit.js';
import type { OperationDeps } from '../deps.js';

export type AuditLook = Omit<Parameters<typeof listAudit>[1], 'limit'>;
type Record = Awaited<ReturnType<typeof listAudit>>[number];

export interface AuditPage {
  /** Newest first; `currency` is that of the record's batch, for amounts without their own. */
  readonly records: readonly (Record & { readonly currency: string | null })[];
  readonly hasMore: boolean;
  /** The end of the whole chain, whatever part of it is shown. */
  readonly chain: { readonly length: number; readonly head: string };
}

/** @throws LedgerError `not_allowed` for people who may not see these records. */
export async function auditPage(
  deps: OperationDeps,
  { pageSize, ...look }: AuditLook & { readonly pageSize: number },
): Promise<AuditPage> {
  const found = await list(deps, { ...look, limit: pageSize + 1 });
  const records = found.slice(0, pageSize);
  const { db } = deps.ledger;
  const currencies = await currenciesOf(db, [...new Set(records.map(({ object }) => object))]);
  const { audit_length: length, audit_head: head } = await auditEnd(db);
  return {
    records: records.map((record) => ({ ...record, currency: currencies.get(record.object) ?? null })),
    hasMore: found.length > pageSize,
    chain: { length, head },
  };
}
