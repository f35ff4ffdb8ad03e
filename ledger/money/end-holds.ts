import { sql } from 'kysely';
import { amongRecords } from '../database/json-records.js';
import { preparedForMany } from '../database/prepared-query.js';
import type { Tx } from '../ledger.js';
import type { OrderRecord, SendOf } from './orders.js';

interface HoldEnds {
  readonly lineageNo: number;
  /** Each of another row. */
  readonly orders: readonly Omit<SendOf, 'lineageNo'>[];
  readonly money: 'posted' | 'released';
}

const end = preparedForMany<OrderRecord, Omit<HoldEnds, 'orders'>, { readonly row_key: string }>(
  { row_key: 'text', attempt: 'int' },
  (db, { lineageNo, money }) => sql`
    update orders set money = ${money} from own
    where orders.lineage_no = ${lineageNo} and orders.row_key = own.row_key and orders.attempt = own.attempt
      and orders.money = 'held' and ${amongRecords(db, 'orders.row_key', 'row_key')}
    returning orders.row_key`,
);

/**
 * A hold ends once: posted, or released.
 *
 * @returns the rows whose hold was there to be ended.
 */
export async function endHolds(tx: Tx, { lineageNo, orders, money }: HoldEnds): Promise<ReadonlySet<string>> {
  const records = orders.map(({ rowKey, attempt }) => ({ row_key: rowKey, attempt }));
  const ended = await end(tx, records, { lineageNo, money });
  return new Set(ended.map(({ row_key }) => row_key));
}
