import type { JoinBuilder } from 'kysely';
import type { Tables } from './tables.js';

/** A row and the order of its present attempt. */
export const orderOfRow = (join: JoinBuilder<Tables, 'rows' | 'orders'>) =>
  join
    .onRef('orders.lineage_no', '=', 'rows.lineage_no')
    .onRef('orders.row_key', '=', 'rows.row_key')
    .onRef('orders.attempt', '=', 'rows.attempt');
