import { type Kysely, sql } from 'kysely';
import type { RowClass } from '../../domain/row-class.js';
import type { Tables } from '../database/tables.js';

/** A row of a plan that the reader may want to know by name. */
export interface NamedRow {
  readonly class: RowClass;
  readonly ordered: boolean;
  readonly rowKey: string;
  /** Its price in this plan; null where it is not ordered. */
  readonly amountMinor: number | null;
  /** What its key was ordered for the last time in the lineage; null where it never was. */
  readonly beforeMinor: number | null;
}

/** Classes in which money was spent before, or rows stay out: their rows are named. New and unchanged ones are many. */
export const namedClasses = ['respend', 'failed_before', 'duplicate', 'open', 'open_changed', 'unknown'] as const;

interface Named {
  readonly batchId: string;
  /** Of the classes to name, those that the batch has. */
  readonly classes: readonly RowClass[];
  readonly perClass: number;
}

/** The first rows of each such class, in the order of the sheet. */
export async function namedRows(
  db: Kysely<Tables>,
  { batchId, classes, perClass }: Named,
): Promise<readonly NamedRow[]> {
  const pages = await Promise.all(
    classes.map((rowClass) =>
      db
        .selectFrom('rows')
        .select(['class', 'ordered', 'row_key', 'amount_minor'])
        .select((eb) =>
          eb
            .selectFrom('orders')
            .select('orders.amount_minor')
            .whereRef('orders.lineage_no', '=', 'rows.lineage_no')
            .whereRef('orders.row_key', '=', 'rows.row_key')
            .whereRef('orders.batch_id', '<>', 'rows.batch_id')
            .orderBy('orders.attempt', 'desc')
            .limit(sql.lit(1))
            .as('before_minor'),
        )
        .where('batch_id', '=', batchId)
        .where('class', '=', rowClass)
        .orderBy('position')
        .limit(perClass)
        .execute(),
    ),
  );
  return pages.flat().map(({ class: rowClass, ordered, row_key, amount_minor, before_minor }) => ({
    ...{ class: rowClass, ordered: ordered === 1, rowKey: row_key },
    ...{ amountMinor: ordered === 1 ? amount_minor : null, beforeMinor: before_minor },
  }));
}
