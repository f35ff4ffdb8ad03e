import { sql } from 'kysely';
import type { BatchState } from '../../domain/batch-state.js';
import type { Service } from '../../domain/service.js';
import type { RowRecord } from '../batches/row-record.js';
import { unknownRow } from '../batches/rows.js';
import { amongRecords } from '../database/json-records.js';
import { preparedForMany } from '../database/prepared-query.js';
import { LedgerError, type Tx } from '../ledger.js';
import { lastAttempt } from './attempt-number.js';
import type { ServicePlaces } from './in-flight-limit.js';

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
const candidatesQuery = preparedForMany<{ readonly row_key: string }, { readonly batchId: string }, Candidate>(
  { row_key: 'text' },
  (db, { batchId }) => sql`
    select rows.batch_id, rows.position, rows.row_key, rows.lineage_no, rows.state, rows.slice, rows.brief,
      rows.content_digest, rows.amount_minor, rows.runtime_seconds, rows.ordered, rows.attempt, rows.uncertain_sends,
      rows.resend, rows.next_send_ms, rows.first_sent_ms, rows.cancel_ms, rows.alarm, rows.alarm_ms, rows.follow_ms,
      slices.wake_ms,
      batches.service_no, batches.state as batch_state, batches.budget_path, lineages.campaign, services.name, services.base_url,
      services.in_flight, services.max_in_flight, services.next_order_us, services.not_before_ms,
      decisions.total_minor as approved,
      ${lastAttempt} as last_attempt
    from own
      cross join rows
      join batches on batches.batch_id = rows.batch_id
      join lineages on lineages.lineage_no = rows.lineage_no
      join services on services.service_no = batches.service_no
      left join decisions on decisions.batch_id = batches.batch_id and decisions.plan_digest = batches.plan_digest
        and decisions.kind = 'approved'
      left join slices on slices.batch_id = rows.batch_id and slices.slice = rows.slice
    where rows.batch_id = ${batchId} and rows.row_key = own.row_key and ${amongRecords(db, 'rows.row_key', 'row_key')}`,
);

type CandidateRow = Pick<
  RowRecord,
  | 'batch_id'
  | 'position'
  | 'row_key'
  | 'lineage_no'
  | 'state'
  | 'slice'
  | 'brief'
  | 'content_digest'
  | 'amount_minor'
  | 'runtime_seconds'
  | 'ordered'
  | 'attempt'
  | 'uncertain_sends'
  | 'resend'
  | 'next_send_ms'
  | 'first_sent_ms'
  | 'cancel_ms'
  | 'alarm'
  | 'alarm_ms'
  | 'follow_ms'
>;

export interface Candidate extends CandidateRow, ServicePlaces {
  readonly wake_ms: number | null;
  readonly service_no: number;
  readonly batch_state: BatchState;
  readonly budget_path: string;
  readonly campaign: string;
  readonly name: string;
  readonly base_url: string;
  /** The total that was approved; null where nothing was. */
  readonly approved: number | null;
  readonly last_attempt: number | null;
}

/**
 * The candidates of orders in one batch, in the order of the orders.
 *
 * @throws LedgerError for a row that is not there, and for one of another service than the caller's.
 */
export async function candidates(tx: Tx, orders: readonly Omit<Order, 'nowMs'>[]): Promise<readonly Candidate[]> {
  const records = orders.map(({ rowKey }) => ({ row_key: rowKey }));
  const found = await candidatesQuery(tx, records, { batchId: orders[0]?.batchId ?? '' });
  const rows = new Map(found.map((row) => [row.row_key, row]));
  return orders.map(({ batchId, rowKey, service }) => {
    const row = rows.get(rowKey);
    if (!row) throw unknownRow(batchId, rowKey);
    if (row.name === service.name && row.base_url === service.baseUrl) return row;
    throw new LedgerError(
      'wrong_state',
      `Cannot order ${batchId} ${rowKey}: it is for ${row.name} (${row.base_url}), this worker serves ${service.name}`,
    );
  });
}
