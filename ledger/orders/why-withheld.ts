import { sql } from 'kysely';
import { storedStops } from '../batches/batch-record.js';
import { prepared } from '../database/prepared-query.js';
import type { Ledger } from '../ledger.js';
import { stopOfAdmittedRows } from '../stops/canary.js';

export interface AdmittedSend {
  readonly batchId: string;
  readonly rowKey: string;
  readonly attempt: number;
}

/** One statement, so that it sees every stop and cancel that was committed before it began. */
const standing = prepared((db, { batchId, rowKey }: { readonly batchId: string; readonly rowKey: string }) =>
  db
    .selectFrom('rows')
    .innerJoin('batches', 'batches.batch_id', 'rows.batch_id')
    .select(['rows.state', 'rows.attempt', 'rows.cancel_ms', 'batches.stops'])
    .select((eb) => [
      eb
        .selectFrom('budgets')
        .select('path')
        .where('stopped_ms', 'is not', null)
        .where(
          sql<boolean>`(batches.budget_path = path or substr(batches.budget_path, 1, length(path) + 1) = path || '/')`,
        )
        .limit(1)
        .as('stopped_budget'),
      eb.selectFrom('ledger').select('halted').as('halted'),
    ])
    .where('rows.batch_id', '=', batchId)
    .where('rows.row_key', '=', rowKey),
);

/**
 * Asked once more just before the bytes of an admitted send leave: between its admission and its turn on the wire a
 * stop, a cancel or another send of the row may have been committed. A send that is told to stay has not left, which
 * is a proof; one that was let go began before any stop that is committed from now on.
 *
 * @returns why it must stay, null where it may leave.
 */
export async function whyWithheld(ledger: Ledger, { batchId, rowKey, attempt }: AdmittedSend): Promise<string | null> {
  const [row] = await standing(ledger.db, { batchId, rowKey });
  if (row?.state !== 'ordering' || row.attempt !== attempt) return 'the row was settled by another send';
  if (row.cancel_ms !== null) return 'it was canceled before it was sent';
  const stop = stopOfAdmittedRows(storedStops(row));
  if (stop) return `ordering was stopped (${stop}) before it was sent`;
  if (row.stopped_budget !== null) return `budget ${row.stopped_budget} was stopped before it was sent`;
  return row.halted === null ? null : 'ordering was stopped (restored) before it was sent';
}
