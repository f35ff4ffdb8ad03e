import { type Kysely, type Selectable, sql, type Updateable } from 'kysely';
import { amongRecords } from '../database/json-records.js';
import { prepared, preparedForMany } from '../database/prepared-query.js';
import { type RowsTable, rowColumnKind, type Tables } from '../database/tables.js';
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

const byKeys = preparedForMany<{ readonly row_key: string }, { readonly batchId: string }, RowRecord>(
  { row_key: 'text' },
  (db, { batchId }) => sql`
    select rows.* from own cross join rows
    where rows.batch_id = ${batchId} and rows.row_key = own.row_key and ${amongRecords(db, 'rows.row_key', 'row_key')}`,
);

/** Those of the keys that the batch has, by key. */
export async function readRowRecords(
  db: Kysely<Tables>,
  batchId: string,
  rowKeys: readonly string[],
): Promise<ReadonlyMap<string, RowRecord>> {
  const records = rowKeys.map((row_key) => ({ row_key }));
  const rows = await byKeys(db, records, { batchId });
  return new Map(rows.map((row) => [row.row_key, row]));
}

/** One change of one row. */
export interface RowChange {
  readonly position: number;
  readonly set: Updateable<RowsTable>;
}

type Update = ReturnType<typeof preparedUpdate>;
const updates = new Map<string, Update>();

/** Changes rows of one batch, those that have the same columns to change by one statement. */
export async function setRows(tx: Kysely<Tables>, batchId: string, changes: readonly RowChange[]): Promise<void> {
  const alike = new Map<string, RowChange[]>();
  for (const change of changes) {
    const columns = Object.keys(change.set).join();
    alike.set(columns, [...(alike.get(columns) ?? []), change]);
  }
  for (const [columns, some] of alike) {
    const update = updates.get(columns) ?? preparedUpdate(columns.split(',') as (keyof RowsTable)[]); // of an update
    updates.set(columns, update);
    const records = some.map(({ position, set }) => ({ ...set, the_position: position }));
    await update(tx, records, { batchId });
  }
}

export async function setRow(
  tx: Kysely<Tables>,
  { batch_id, position }: Pick<RowRecord, 'batch_id' | 'position'>,
  set: Updateable<RowsTable>,
): Promise<void> {
  await setRows(tx, batch_id, [{ position, set }]);
}

/** The text of the query is built once for each set of columns. */
function preparedUpdate(columns: readonly (keyof RowsTable)[]) {
  const kinds = Object.fromEntries(columns.map((column) => [column, rowColumnKind(column)]));
  return preparedForMany<object, { readonly batchId: string }, unknown>(
    { ...kinds, the_position: 'int' },
    (db, { batchId }) => {
      const set = sql.join(columns.map((column) => sql`${sql.id(column)} = ${sql.id('own', column)}`));
      return sql`
        update rows set ${set} from own where rows.batch_id = ${batchId} and rows.position = own.the_position
          and ${amongRecords(db, 'rows.position', 'the_position')}`;
    },
  );
}
