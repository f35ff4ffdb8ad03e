import type { Service } from '../../domain/service.js';
import { ofService } from '../batches/service-filter.js';
import { byPages } from '../database/paging.js';
import { isOpen } from '../database/partial-indexes.js';
import type { Ledger } from '../ledger.js';

/** A row of the campaign that a sheet no longer has. */
export interface RemovedRow {
  readonly rowKey: string;
  readonly batchId: string;
  readonly state: string;
}

export interface RemovedQuestion {
  readonly service: Pick<Service, 'name' | 'baseUrl'>;
  readonly campaign: string;
  /** Whether the sheet has the key. */
  readonly has: (rowKey: string) => boolean;
}

const pageSize = 2_000;

/**
 * Rows of the lineage that are delivered or in the making and that the sheet does not have, by key. They are listed for
 * the reader: nothing is canceled by leaving a row out.
 */
export async function removedRows(ledger: Ledger, question: RemovedQuestion): Promise<readonly RemovedRow[]> {
  const removed = new Map<string, RemovedRow>();
  for (const pages of [deliveredRows(ledger, question), openRows(ledger, question)]) {
    for await (const row of pages) if (!question.has(row.rowKey)) removed.set(row.rowKey, row);
  }
  return [...removed.values()].sort((one, other) => (one.rowKey < other.rowKey ? -1 : 1));
}

async function* deliveredRows(ledger: Ledger, { service, campaign }: RemovedQuestion): AsyncGenerator<RemovedRow> {
  const read = ({ key, attempt }: { readonly key: string; readonly attempt: number }) =>
    ledger.db
      .selectFrom('orders')
      .innerJoin('lineages', 'lineages.lineage_no', 'orders.lineage_no')
      .innerJoin('services', 'services.service_no', 'lineages.service_no')
      .innerJoin('rows', (join) =>
        join.onRef('rows.batch_id', '=', 'orders.batch_id').onRef('rows.row_key', '=', 'orders.row_key'),
      )
      .select(['orders.row_key', 'orders.batch_id', 'orders.attempt', 'rows.state'])
      .where(ofService(service))
      .where('lineages.campaign', '=', campaign)
      .where((eb) =>
        eb.or([
          eb('orders.row_key', '>', key),
          eb.and([eb('orders.row_key', '=', key), eb('orders.attempt', '>', attempt)]),
        ]),
      )
      .orderBy('orders.row_key')
      .orderBy('orders.attempt')
      .limit(pageSize)
      .execute();
  const keyOf = ({ row_key: key, attempt }: { readonly row_key: string; readonly attempt: number }) => ({
    key,
    attempt,
  });
  const orders = byPages({ pageSize, first: { key: '', attempt: 0 }, keyOf, read });
  for await (const { row_key: rowKey, batch_id: batchId, state } of orders) {
    if (state === 'delivered') yield { rowKey, batchId, state };
  }
}

async function* openRows(ledger: Ledger, { service, campaign }: RemovedQuestion): AsyncGenerator<RemovedRow> {
  const read = (after: string) =>
    ledger.db
      .selectFrom('rows')
      .innerJoin('lineages', 'lineages.lineage_no', 'rows.lineage_no')
      .innerJoin('services', 'services.service_no', 'lineages.service_no')
      .select(['rows.row_key', 'rows.batch_id', 'rows.state'])
      .where(ofService(service))
      .where('lineages.campaign', '=', campaign)
      .where(isOpen())
      .where('rows.row_key', '>', after)
      .orderBy('rows.row_key')
      .limit(pageSize)
      .execute();
  for await (const row of byPages({ pageSize, first: '', keyOf: ({ row_key }) => row_key, read })) {
    yield { rowKey: row.row_key, batchId: row.batch_id, state: row.state };
  }
}
