import type { RowCounts } from '../../domain/batch-state.js';
import type { Policy } from '../../domain/policy.js';
import { auditEnd } from '../access/audit.js';
import { readPolicy } from '../access/policies.js';
import { type BatchMoney, readBatch } from '../batches/batches.js';
import { countsOf } from '../batches/rows.js';
import type { Ledger } from '../ledger.js';
import { type ChainEnd, entriesEnd } from '../money/entry-chain.js';
import { type InvoicedShare, invoicedShare } from '../money/invoiced-batches.js';

/** What a certificate says of a batch; everything else in it is the rows themselves. */
export interface CertificateFacts {
  readonly batchId: string;
  readonly ledgerId: string;
  readonly planDigest: string | null;
  readonly rowsIn: number;
  readonly rowsOut: number;
  readonly counts: RowCounts;
  readonly money: BatchMoney;
  /** Some rows are not settled for good: the figures may still change. */
  readonly provisional: boolean;
  /** Its service is a rehearsal: no money was spent. */
  readonly rehearsal: boolean;
  readonly assumptions: readonly string[];
  /** What the service is taken to charge for movies that failed or were canceled. */
  readonly billing: Policy['billing'];
  readonly audit: { readonly length: number; readonly head: string };
  /** The end of the batch's chain of entries. */
  readonly entries: ChainEnd;
  readonly invoiced: InvoicedShare;
}

export async function certificateFacts(ledger: Ledger, batchId: string): Promise<CertificateFacts> {
  const batch = await readBatch(ledger, batchId);
  const counts = await countsOf(ledger.db, batchId);
  const { ledger_id: ledgerId } = await ledger.db.selectFrom('ledger').select('ledger_id').executeTakeFirstOrThrow();
  const { policy } = await readPolicy(ledger.db);
  const { audit_length: length, audit_head: head } = await auditEnd(ledger.db);
  return {
    batchId,
    ledgerId,
    planDigest: batch.planDigest,
    rowsIn: batch.rowsInSheet,
    rowsOut: Object.values(counts).reduce((sum, count) => sum + count, 0),
    counts,
    money: batch.money,
    provisional: !['closed', 'canceled', 'refused', 'expired'].includes(batch.state),
    rehearsal: batch.service.rehearsal,
    assumptions: batch.assumptions,
    billing: policy.billing,
    audit: { length, head },
    entries: await entriesEnd(ledger.db, batchId),
    invoiced: await invoicedShare(ledger.db, batchId),
  };
}
