import { inTheirCampaigns } from '../access/sight.js';
import { readBatchRecord } from '../batches/batch-record.js';
import { type RowView, rowViews } from '../batches/rows.js';
import { pastPlanned } from '../database/partial-indexes.js';
import type { Ledger } from '../ledger.js';
import { findProposal, type Proposal } from './proposals.js';

/** A row of which nobody knows whether its movie exists; its hold stays until somebody does. */
export interface UnknownRow {
  readonly batchId: string;
  readonly currency: string;
  readonly row: RowView;
  /** What one person said about it and a second one has to confirm. */
  readonly proposal: Proposal | null;
}

export interface UnknownFilter {
  readonly batchId?: string;
  /** Only campaigns in which this person submitted; null for all. */
  readonly inCampaignsOf?: string | null;
  readonly limit?: number;
}

/**
 * The oldest first.
 *
 * @throws LedgerError for a batch that is not there.
 */
export async function listUnknowns(
  ledger: Ledger,
  { batchId, inCampaignsOf: person = null, limit = 1_000 }: UnknownFilter = {},
): Promise<readonly UnknownRow[]> {
  if (batchId !== undefined) await readBatchRecord(ledger.db, batchId);
  const rows = await ledger.db
    .selectFrom('rows')
    .innerJoin('batches', 'batches.batch_id', 'rows.batch_id')
    .select(['rows.batch_id', 'rows.position', 'batches.currency'])
    .where('rows.state', '=', 'unknown')
    .where(pastPlanned)
    .where('batches.state', 'in', ['making', 'unsettled'])
    .$if(batchId !== undefined, (query) => query.where('rows.batch_id', '=', batchId ?? ''))
    .$if(person !== null, (query) => query.where((eb) => inTheirCampaigns(eb, person ?? '')))
    .orderBy('rows.first_sent_ms')
    .orderBy('rows.position')
    .limit(limit)
    .execute();
  const unknowns: UnknownRow[] = [];
  for (const { batch_id, position, currency } of rows) {
    const [row] = await rowViews(ledger.db, (query) =>
      query.where('rows.batch_id', '=', batch_id).where('rows.position', '=', position),
    );
    if (row)
      unknowns.push({
        batchId: batch_id,
        currency,
        row,
        proposal: await findProposal(ledger.db, batch_id, row.rowKey),
      });
  }
  return unknowns;
}
