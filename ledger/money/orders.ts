import type { Insertable } from 'kysely';
import { prepared } from '../database/prepared-query.js';
import type { OrdersTable } from '../database/tables.js';
import type { Tx } from '../ledger.js';

/** The order that a send belongs to. */
export interface SendOf {
  readonly lineageNo: number;
  readonly rowKey: string;
  readonly attempt: number;
}

const insert = prepared((db, order: Insertable<OrdersTable>) =>
  db.insertInto('orders').values({
    ...{ lineage_no: order.lineage_no, row_key: order.row_key, attempt: order.attempt, service_no: order.service_no },
    ...{ batch_id: order.batch_id, content_digest: order.content_digest, idempotency_key: order.idempotency_key },
    ...{ request_body: order.request_body, amount_minor: order.amount_minor, money: 'held', movie_id: null },
  }),
);

export async function insertOrder(tx: Tx, order: Omit<Insertable<OrdersTable>, 'money' | 'movie_id'>): Promise<void> {
  await insert(tx, { ...order, money: 'held', movie_id: null });
}

const request = prepared((db, { lineageNo, rowKey, attempt }: SendOf) =>
  db
    .selectFrom('orders')
    .select(['idempotency_key', 'request_body'])
    .where('lineage_no', '=', lineageNo)
    .where('row_key', '=', rowKey)
    .where('attempt', '=', attempt),
);

/** The key and the exact bytes that every send of an order has. */
export async function requestOf(
  tx: Tx,
  order: SendOf,
): Promise<{ readonly idempotencyKey: string; readonly requestBody: string }> {
  const [found] = await request(tx, order);
  if (found) return { idempotencyKey: found.idempotency_key, requestBody: found.request_body };
  throw new Error(`Cannot send row ${order.rowKey} again: attempt ${order.attempt} is not in the ledger`);
}

const byMovie = prepared((db, { serviceNo, movieId }: { readonly serviceNo: number; readonly movieId: string }) =>
  db
    .selectFrom('orders')
    .select(['lineage_no', 'row_key', 'attempt', 'batch_id'])
    .where('service_no', '=', serviceNo)
    .where('movie_id', '=', movieId),
);

/** The order that a movie pays for, if it pays for one. */
export async function orderOfMovie(
  tx: Tx,
  serviceNo: number,
  movieId: string,
): Promise<(SendOf & { readonly batchId: string }) | null> {
  const [found] = await byMovie(tx, { serviceNo, movieId });
  if (!found) return null;
  return { lineageNo: found.lineage_no, rowKey: found.row_key, attempt: found.attempt, batchId: found.batch_id };
}

const nameMovie = prepared((db, { lineageNo, rowKey, attempt, movieId }: SendOf & { readonly movieId: string }) =>
  db
    .updateTable('orders')
    .set({ movie_id: movieId })
    .where('lineage_no', '=', lineageNo)
    .where('row_key', '=', rowKey)
    .where('attempt', '=', attempt),
);

export async function setMovie(tx: Tx, order: SendOf, movieId: string): Promise<void> {
  await nameMovie(tx, { ...order, movieId });
}

interface HoldEnd extends SendOf {
  readonly money: 'posted' | 'released';
}

const end = prepared((db, { lineageNo, rowKey, attempt, money }: HoldEnd) =>
  db
    .updateTable('orders')
    .set({ money })
    .where('lineage_no', '=', lineageNo)
    .where('row_key', '=', rowKey)
    .where('attempt', '=', attempt)
    .where('money', '=', 'held')
    .returning('attempt'),
);

/** @returns whether the hold was there to be ended. */
export async function endHold(tx: Tx, hold: HoldEnd): Promise<boolean> {
  return (await end(tx, hold)).length === 1;
}
