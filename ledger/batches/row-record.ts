import type { Kysely, Selectable, Updateable } from 'kysely';
import { prepared } from '../database/prepared-query.js';
import type { RowsTable, Tables } from '../database/tables.js';
import { unknownRow } from './rows.js';

export type RowRecord = Selectable<RowsTable>;

const byKey = prepared((db, { batchId, rowKey }: { readonly batchId: string; readonly rowKey: string }) =>
  db.selectFrom('rows').selectAll().where('batch_id', '=', batchId).where('row_key', '=', rowKey),
);

/** @throws LedgerError for a key that the batch does not have. */
export async function readRowRecord(
  db: Kysely<Tables>,
  { batchId, rowKey }: { readonly batchId: string; readonly rowKey: string },
): Promise<RowRecord> {
  const [row] = await byKey(db, { batchId, rowKey });
  if (row) return row;
  throw unknownRow(batchId, rowKey);
}

type Update = (db: Kysely<Tables>, values: object) => Promise<readonly unknown[]>;
const updates = new Map<string, Update>();

/** Changes one row. The text of the query is built once for each set of columns. */
export async function setRow(
  tx: Kysely<Tables>,
  { batch_id, position }: Pick<RowRecord, 'batch_id' | 'position'>,
  set: Updateable<RowsTable>,
): Promise<void> {
  const columns = Object.keys(set) as (keyof RowsTable)[]; // of an update
  const update = updates.get(columns.join()) ?? preparedUpdate(columns);
  updates.set(columns.join(), update);
  await update(tx, { ...set, the_batch: batch_id, the_position: position });
}

function preparedUpdate(columns: readonly (keyof RowsTable)[]): Update {
  return prepared((db, values: Updateable<RowsTable> & { readonly the_batch: string; readonly the_position: number }) =>
    db
      .updateTable('rows')
      .set(Object.fromEntries(columns.map((column) => [column, values[column]])))
      .where('batch_id', '=', values.the_batch)
      .where('position', '=', values.the_position),
  ) as Update; // its values are checked by setRow
}
