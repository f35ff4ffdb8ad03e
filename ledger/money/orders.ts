import { type Insertable, type Selectable, sql } from 'kysely';
import { type ColumnOf, insertMany } from '../database/insert-many.js';
import { amongRecords } from '../database/json-records.js';
import { prepared, preparedForMany } from '../database/prepared-query.js';
import type { OrdersTable } from '../database/tables.js';
import type { Tx } from '../ledger.js';

/** The order that a send belongs to. */
export interface SendOf {
  readonly lineageNo: number;
  readonly rowKey: string;
  readonly attempt: number;
}

export type NewOrder = Omit<Insertable<OrdersTable>, 'money' | 'movie_id'>;

/** Orders with their holds. */
export async function insertOrders(tx: Tx, orders: readonly NewOrder[]): Promise<void> {
  await insertMany(tx, 'orders', { rows: orders, columns: orderColumns });
}

const orderColumns: readonly ColumnOf<NewOrder>[] = [
  ['lineage_no', 'int', (order) => order.lineage_no],
  ['row_key', 'text', (order) => order.row_key],
  ['attempt', 'int', (order) => order.attempt],
  ['service_no', 'int', (order) => order.service_no],
  ['batch_id', 'text', (order) => order.batch_id],
  ['content_digest', 'text', (order) => order.content_digest],
  ['idempotency_key', 'text', (order) => order.idempotency_key],
  ['request_body', 'text', (order) => order.request_body],
  ['amount_minor', 'int', (order) => order.amount_minor],
  ['money', 'held'],
  ['movie_id', null],
];

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

interface MovieOrder extends SendOf {
  readonly batchId: string;
}

const byMovies = preparedForMany<
  { readonly movie_id: string },
  { readonly serviceNo: number },
  Pick<Selectable<OrdersTable>, 'movie_id' | 'lineage_no' | 'row_key' | 'attempt' | 'batch_id'>
>(
  { movie_id: 'text' },
  (db, { serviceNo }) => sql`
    select orders.movie_id, orders.lineage_no, orders.row_key, orders.attempt, orders.batch_id
    from own cross join orders where orders.service_no = ${serviceNo} and orders.movie_id = own.movie_id
      and ${amongRecords(db, 'orders.movie_id', 'movie_id')}`,
);

/** The orders that movies pay for, by the movie; without those that pay for none. */
export async function ordersOfMovies(
  tx: Tx,
  serviceNo: number,
  movieIds: readonly string[],
): Promise<ReadonlyMap<string, MovieOrder>> {
  const movies = movieIds.map((movie_id) => ({ movie_id }));
  const found = await byMovies(tx, movies, { serviceNo });
  return new Map(
    found.map(({ movie_id, lineage_no, row_key, attempt, batch_id }) => [
      movie_id ?? '',
      { lineageNo: lineage_no, rowKey: row_key, attempt, batchId: batch_id },
    ]),
  );
}

/** An order of a lineage, as a list of them is handed to the database. */
export interface OrderRecord {
  readonly row_key: string;
  readonly attempt: number;
}

const nameMovies = preparedForMany<OrderRecord & { readonly movie: string }, { readonly lineageNo: number }, unknown>(
  { row_key: 'text', attempt: 'int', movie: 'text' },
  (db, { lineageNo }) => sql`
    update orders set movie_id = own.movie from own
    where orders.lineage_no = ${lineageNo} and orders.row_key = own.row_key and orders.attempt = own.attempt
      and ${amongRecords(db, 'orders.row_key', 'row_key')}`,
);

/** Of one lineage: what each of its orders has paid for. */
export async function setMovies(
  tx: Tx,
  lineageNo: number,
  movies: readonly (Omit<SendOf, 'lineageNo'> & { readonly movieId: string })[],
): Promise<void> {
  const records = movies.map(({ rowKey, attempt, movieId }) => ({ row_key: rowKey, attempt, movie: movieId }));
  await nameMovies(tx, records, { lineageNo });
}
