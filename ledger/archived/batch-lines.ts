import type { Kysely, Selectable } from 'kysely';
import { byPages } from '../database/paging.js';
import type { FilesTable, OrdersTable, RowsTable, SendsTable, Tables } from '../database/tables.js';

/**
 * What of a batch goes into its file: the columns that nobody needs to count, to price or to decide, and whole lines of
 * those tables that only tell what happened. Everything else stays in the ledger.
 */
export type BatchLine =
  | ({ readonly table: 'rows' } & Pick<Selectable<RowsTable>, 'position' | 'row_key' | 'brief' | 'cells'>)
  | ({ readonly table: 'orders' } & Pick<Selectable<OrdersTable>, 'row_key' | 'attempt' | 'request_body'>)
  | ({ readonly table: 'sends' } & Selectable<SendsTable>)
  | ({ readonly table: 'files' } & Selectable<FilesTable>);

export type TableOfLine = BatchLine['table'];

const pageSize = 2_000;

/** Every line of a batch, table by table in the order of their keys; a page in memory at a time. */
export async function* linesOfBatch(
  db: Kysely<Tables>,
  { batchId, lineageNo }: { readonly batchId: string; readonly lineageNo: number },
): AsyncGenerator<BatchLine, void, undefined> {
  for await (const line of rowsOf(db, batchId)) yield { table: 'rows', ...line };
  for await (const line of ordersOf(db, batchId)) yield { table: 'orders', ...line };
  for await (const line of sendsOf(db, { batchId, lineageNo })) yield { table: 'sends', ...line };
  for await (const line of filesOf(db, batchId)) yield { table: 'files', ...line };
}

function rowsOf(db: Kysely<Tables>, batchId: string) {
  return byPages({
    ...{ pageSize, first: -1, keyOf: ({ position }: { readonly position: number }) => position },
    read: (after) =>
      db
        .selectFrom('rows')
        .select(['position', 'row_key', 'brief', 'cells'])
        .where('batch_id', '=', batchId)
        .where('position', '>', after)
        .orderBy('position')
        .limit(pageSize)
        .execute(),
  });
}

function ordersOf(db: Kysely<Tables>, batchId: string) {
  type Key = Pick<OrdersTable, 'row_key' | 'attempt'>;
  return byPages<Key & Pick<OrdersTable, 'request_body'>, Key>({
    ...{ pageSize, first: { row_key: '', attempt: 0 }, keyOf: ({ row_key, attempt }) => ({ row_key, attempt }) },
    read: ({ row_key, attempt }) =>
      db
        .selectFrom('orders')
        .select(['row_key', 'attempt', 'request_body'])
        .where('batch_id', '=', batchId)
        .where((eb) =>
          eb.or([eb('row_key', '>', row_key), eb.and([eb('row_key', '=', row_key), eb('attempt', '>', attempt)])]),
        )
        .orderBy('row_key')
        .orderBy('attempt')
        .limit(pageSize)
        .execute(),
  });
}

function sendsOf(db: Kysely<Tables>, { batchId, lineageNo }: { readonly batchId: string; readonly lineageNo: number }) {
  return byPages<Selectable<SendsTable>, number>({
    ...{ pageSize, first: 0, keyOf: ({ send_id }) => send_id },
    read: (after) =>
      db
        .selectFrom('sends')
        .selectAll()
        .where('lineage_no', '=', lineageNo) // which has an index
        .where('batch_id', '=', batchId)
        .where('send_id', '>', after)
        .orderBy('send_id')
        .limit(pageSize)
        .execute(),
  });
}

function filesOf(db: Kysely<Tables>, batchId: string) {
  type Key = Pick<FilesTable, 'row_key' | 'asset_id'>;
  return byPages<Selectable<FilesTable>, Key>({
    ...{ pageSize, first: { row_key: '', asset_id: '' }, keyOf: ({ row_key, asset_id }) => ({ row_key, asset_id }) },
    read: ({ row_key, asset_id }) =>
      db
        .selectFrom('files')
        .selectAll()
        .where('batch_id', '=', batchId)
        .where((eb) =>
          eb.or([eb('row_key', '>', row_key), eb.and([eb('row_key', '=', row_key), eb('asset_id', '>', asset_id)])]),
        )
        .orderBy('row_key')
        .orderBy('asset_id')
        .limit(pageSize)
        .execute(),
  });
}
