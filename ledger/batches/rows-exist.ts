import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.js';
import { unknownRow } from './rows.js';

/** Keys asked for by one statement. */
const keysAtOnce = 500;

/** @throws LedgerError for the first of the keys that the batch does not have. */
export async function assertRowsExist(db: Kysely<Tables>, batchId: string, rowKeys: readonly string[]): Promise<void> {
  for (let from = 0; from < rowKeys.length; from += keysAtOnce) {
    const keys = rowKeys.slice(from, from + keysAtOnce);
    const found = await db
      .selectFrom('rows')
      .select('row_key')
      .where('batch_id', '=', batchId)
      .where('row_key', 'in', keys)
      .execute();
    const known = new Set(found.map(({ row_key }) => row_key));
    const missing = keys.find((rowKey) => !known.has(rowKey));
    if (missing !== undefined) throw unknownRow(batchId, missing);
  }
}
