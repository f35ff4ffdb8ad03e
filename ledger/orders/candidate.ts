import type { Service } from '../../domain/service.js';
import { unknownRow } from '../batches/rows.js';
import { prepared } from '../database/prepared-query.js';
import { LedgerError, type Tx } from '../ledger.js';

export interface Order {
  readonly batchId: string;
  readonly rowKey: string;
  /** The one service that the caller sends to. */
  readonly service: Pick<Service, 'name' | 'baseUrl'>;
  /** Where the service sends its events; part of the first request and its repeats, null where nobody listens. */
  readonly webhookUrl?: string | null;
  /** Of all workers together; without it as many as there are. */
  readonly ordersPerSecond?: number | null;
  /** Of the database, in the transaction. */
  readonly nowMs: number;
}

/** Everything that an admission needs to know of its row, by one look. */
const candidateQuery = prepared((db, { batchId, rowKey }: { readonly batchId: string; readonly rowKey: string }) =>
  db
    .selectFrom('rows')
    .innerJoin('batches', 'batches.batch_id', 'rows.batch_id')
    .innerJoin('lineages', 'lineages.lineage_no', 'rows.lineage_no')
    .innerJoin('services', 'services.service_no', 'batches.service_no')
    .leftJoin('decisions', (join) =>
      join
        .onRef('decisions.batch_id', '=', 'batches.batch_id')
        .onRef('decisions.plan_digest', '=', 'batches.plan_digest')
        .on('decisions.kind', '=', 'approved'),
    )
    .leftJoin('slices', (join) =>
      join.onRef('slices.batch_id', '=', 'rows.batch_id').onRef('slices.slice', '=', 'rows.slice'),
    )
    .select(['rows.batch_id', 'rows.position', 'rows.row_key', 'rows.lineage_no', 'rows.state', 'rows.slice'])
    .select(['rows.brief', 'rows.content_digest', 'rows.amount_minor', 'rows.runtime_seconds', 'rows.ordered'])
    .select(['rows.attempt', 'rows.uncertain_sends', 'rows.resend', 'rows.next_send_ms', 'rows.first_sent_ms'])
    .select([
      'rows.cancel_ms',
      'rows.alarm',
      'rows.follow_ms',
      'slices.wake_ms',
      'batches.service_no',
      'batches.state as batch_state',
    ])
    .select('lineages.campaign')
    .select(['services.name', 'services.base_url', 'decisions.total_minor as approved'])
    .select((eb) =>
      eb
        .selectFrom('orders')
        .select((inner) => inner.fn.max('attempt').as('last'))
        .whereRef('orders.lineage_no', '=', 'rows.lineage_no')
        .whereRef('orders.row_key', '=', 'rows.row_key')
        .as('last_attempt'),
    )
    .where('rows.batch_id', '=', batchId)
    .where('rows.row_key', '=', rowKey),
);

export type Candidate = Awaited<ReturnType<typeof candidateQuery>>[number];

/** @throws LedgerError for a row that is not there, and for one of another service than the caller's. */
export async function candidate(tx: Tx, { batchId, rowKey, service }: Order): Promise<Candidate> {
  const [row] = await candidateQuery(tx, { batchId, rowKey });
  if (!row) throw unknownRow(batchId, rowKey);
  if (row.name === service.name && row.base_url === service.baseUrl) return row;
  throw new LedgerError(
    'wrong_state',
    `Cannot order ${batchId} ${rowKey}: it is for ${row.name} (${row.base_url}), this worker serves ${service.name}`,
  );
}
