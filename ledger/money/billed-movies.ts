import { sql } from 'kysely';
import type { Service } from '../../domain/service.js';
import { ofService } from '../batches/service-filter.js';
import type { EntryKind } from '../database/tables.js';
import type { Tx } from '../ledger.js';

/** A movie that was accepted, with what the entries say it cost. */
export interface BookedMovie {
  readonly movieId: string;
  readonly idempotencyKey: string;
  readonly batchId: string;
  readonly rowKey: string;
  readonly attempt: number;
  readonly currency: string;
  readonly postedMinor: number;
  /** What was assumed not to be charged. */
  readonly refundedMinor: number;
  /** Posted, without refunds, with corrections. */
  readonly bookedMinor: number;
  /** The part of `bookedMinor` that earlier corrections booked beyond the post. */
  readonly overrunMinor: number;
  readonly postedAtMs: number;
}

type OfService = Pick<Service, 'name' | 'baseUrl'>;

/** Every movie of a service that was posted, in the order of batches and rows. */
export async function bookedMovies(tx: Tx, service: OfService): Promise<readonly BookedMovie[]> {
  const rows = await tx
    .selectFrom('orders')
    .innerJoin('services', 'services.service_no', 'orders.service_no')
    .innerJoin('entries', (join) =>
      join
        .onRef('entries.batch_id', '=', 'orders.batch_id')
        .onRef('entries.row_key', '=', 'orders.row_key')
        .onRef('entries.attempt', '=', 'orders.attempt'),
    )
    .select(['orders.movie_id', 'orders.idempotency_key', 'orders.batch_id', 'orders.row_key', 'orders.attempt'])
    .select('entries.currency')
    .select([sumOf('post').as('posted'), sumOf('refund').as('refunded'), sumOf('correction').as('corrected')])
    .select(sql<number>`cast(sum(overrun_minor) as bigint)`.as('overrun'))
    .select(sql<number>`cast(max(case kind when 'post' then entries.at_ms else 0 end) as bigint)`.as('posted_ms'))
    .where(ofService(service))
    .where('orders.money', '=', 'posted')
    .groupBy(['orders.movie_id', 'orders.idempotency_key', 'orders.batch_id', 'orders.row_key', 'orders.attempt'])
    .groupBy('entries.currency')
    .orderBy('orders.batch_id')
    .orderBy('orders.row_key')
    .orderBy('orders.attempt')
    .execute();
  return rows.flatMap((row) => {
    if (row.movie_id === null) return []; // a fault of the books, which ledgerFaults names
    const { movie_id: movieId, idempotency_key: idempotencyKey, batch_id: batchId, row_key: rowKey } = row;
    const { posted: postedMinor, refunded: refundedMinor, corrected, overrun: overrunMinor } = row;
    const money = { postedMinor, refundedMinor, bookedMinor: postedMinor - refundedMinor + corrected, overrunMinor };
    const { attempt, currency, posted_ms: postedAtMs } = row;
    return { movieId, idempotencyKey, batchId, rowKey, attempt, currency, ...money, postedAtMs };
  });
}

function sumOf(kind: EntryKind) {
  return sql<number>`cast(sum(case when kind = ${sql.lit(kind)} then entries.amount_minor else 0 end) as bigint)`;
}

/** An order that no movie was posted for. */
export interface OpenOrder {
  readonly batchId: string;
  readonly rowKey: string;
  readonly money: 'held' | 'released';
}

/** Keys asked for at a time: databases limit the parameters of a query. */
const keysAtOnce = 500;

/** The orders of these idempotency keys that were never posted, by key. */
export async function openOrders(
  tx: Tx,
  service: OfService,
  keys: readonly string[],
): Promise<ReadonlyMap<string, OpenOrder>> {
  const orders = new Map<string, OpenOrder>();
  for (let from = 0; from < keys.length; from += keysAtOnce) {
    const found = await tx
      .selectFrom('orders')
      .innerJoin('services', 'services.service_no', 'orders.service_no')
      .select(['orders.idempotency_key', 'orders.batch_id', 'orders.row_key', 'orders.money'])
      .where(ofService(service))
      .where('orders.idempotency_key', 'in', keys.slice(from, from + keysAtOnce))
      .execute();
    for (const { idempotency_key: key, batch_id: batchId, row_key: rowKey, money } of found) {
      if (money !== 'posted') orders.set(key, { batchId, rowKey, money });
    }
  }
  return orders;
}
