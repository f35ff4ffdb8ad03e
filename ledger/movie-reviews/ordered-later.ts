import type { ExpressionBuilder } from 'kysely';
import { isOpen } from '../database/partial-indexes.js';
import type { Tables } from '../database/tables.js';

/** Whether the row of the query was ordered again after this batch: paid, held, or approved in another one. */
export function orderedLater(eb: ExpressionBuilder<Tables, 'rows'>) {
  return eb.or([
    eb.exists(
      eb
        .selectFrom('orders')
        .select('orders.attempt')
        .whereRef('orders.lineage_no', '=', 'rows.lineage_no')
        .whereRef('orders.row_key', '=', 'rows.row_key')
        .whereRef('orders.attempt', '>', 'rows.attempt')
        .where('orders.money', '!=', 'released'),
    ),
    eb.exists(
      eb
        .selectFrom('rows as later')
        .select('later.row_key')
        .whereRef('later.lineage_no', '=', 'rows.lineage_no')
        .whereRef('later.row_key', '=', 'rows.row_key')
        .whereRef('later.batch_id', '!=', 'rows.batch_id')
        .where(isOpen('later')),
    ),
  ]);
}
