import { type Kysely, sql } from 'kysely';
import type { RowClass } from '../../domain/row-class.js';
import type { Tables } from '../database/tables.js';

/** A row of a plan with its price. */
export interface PricedRow {
  readonly rowKey: string;
  readonly durationSeconds: number;
  readonly aspectRatio: string | null;
  readonly amountMinor: number;
}

interface Asked {
  readonly batchId: string;
  readonly limit: number;
}

/** The rows to order that cost most. */
export async function dearestRows(db: Kysely<Tables>, { batchId, limit }: Asked): Promise<readonly PricedRow[]> {
  const rows = await db
    .selectFrom('rows')
    .select(['row_key', 'brief', 'amount_minor'])
    .where('batch_id', '=', batchId)
    .where('ordered', '=', 1)
    .where('amount_minor', 'is not', null)
    .orderBy('amount_minor', 'desc')
    .orderBy('position')
    .limit(limit)
    .execute();
  return rows.map(({ row_key, brief, amount_minor }) => {
    const { durationSeconds, aspectRatio } = JSON.parse(brief) as Omit<PricedRow, 'amountMinor' | 'rowKey'>;
    return { rowKey: row_key, durationSeconds, aspectRatio, amountMinor: amount_minor ?? 0 };
  });
}

/** A row of the sheet that the plan does not order. */
export interface LeftOutRow {
  readonly rowKey: string;
  readonly class: RowClass;
  /** What its key was ordered for the last time in the lineage; null where it never was. */
  readonly beforeMinor: number | null;
}

/** In the order of the sheet. */
export async function leftOutRows(db: Kysely<Tables>, { batchId, limit }: Asked): Promise<readonly LeftOutRow[]> {
  const rows = await db
    .selectFrom('rows')
    .select((eb) => [
      'row_key',
      'class',
      eb
        .selectFrom('orders')
        .select('orders.amount_minor')
        .whereRef('orders.lineage_no', '=', 'rows.lineage_no')
        .whereRef('orders.row_key', '=', 'rows.row_key')
        .orderBy('orders.attempt', 'desc')
        .limit(sql.lit(1))
        .as('before_minor'),
    ])
    .where('batch_id', '=', batchId)
    .where('ordered', '=', 0)
    .orderBy('position')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ rowKey: row.row_key, class: row.class, beforeMinor: row.before_minor }));
}
