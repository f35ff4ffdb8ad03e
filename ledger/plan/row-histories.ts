import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import { openBatchStates } from '../../domain/batch-state.js';
import type { PaidAttempt, RowHistory } from '../../domain/row-class.js';
import type { BatchRecord } from '../batches/batch-record.js';
import { isOpen } from '../database/partial-indexes.js';
import type { Tables } from '../database/tables.js';
import { sameContent } from './same-content.js';

export interface HistoryQuestion {
  readonly serviceNo: number;
  /** Null for a campaign that the service has never had. */
  readonly lineageNo: number | null;
  /** The batch that asks, whose own rows are no history; null for a sheet that is none yet. */
  readonly batchId: string | null;
  readonly rows: readonly { readonly rowKey: string; readonly contentDigest: string }[];
}

const nothing: RowHistory = { paid: [], open: null, elsewhere: null };

/** Whether any row of the lineage could have a history; a service's first batch is spared the look-ups for each row. */
export async function anyHistory(
  db: Kysely<Tables>,
  { serviceNo, lineageNo, batchId }: Omit<HistoryQuestion, 'rows'>,
): Promise<boolean> {
  const order = db.selectFrom('orders').select('row_key').where('service_no', '=', serviceNo);
  const open = db.selectFrom('rows').select('row_key').where('lineage_no', '=', lineageNo).where(isOpen());
  const plan = db
    .selectFrom('batches')
    .select('batch_id')
    .where('service_no', '=', serviceNo)
    .where('state', 'in', openBatchStates)
    .where('batch_id', '!=', batchId ?? '');
  const { found } = await db
    .selectNoFrom((eb) => eb.or([eb.exists(order), eb.exists(open), eb.exists(plan)]).as('found'))
    .executeTakeFirstOrThrow();
  return Boolean(found);
}

/**
 * Of the rows of a batch, all for which `historiesOf` could say anything, and maybe some more: whether there is an order
 * of its key or content, or a row elsewhere that has its key or would be ordered with its content.
 */
export function mayHaveHistory(
  eb: ExpressionBuilder<Tables, 'rows'>,
  { batch_id, lineage_no, service_no }: Pick<BatchRecord, 'batch_id' | 'lineage_no' | 'service_no'>,
) {
  const orders = eb.selectFrom('orders').select('orders.row_key');
  const others = eb.selectFrom('rows as other').select('other.row_key').where('other.batch_id', '!=', batch_id);
  return eb.or([
    eb.exists(orders.where('orders.lineage_no', '=', lineage_no).whereRef('orders.row_key', '=', 'rows.row_key')),
    eb.exists(
      orders.where('orders.service_no', '=', service_no).whereRef('orders.content_digest', '=', 'rows.content_digest'),
    ),
    eb.exists(
      others
        .where('other.lineage_no', '=', lineage_no)
        .whereRef('other.row_key', '=', 'rows.row_key')
        .where(isOpen('other')),
    ),
    eb.exists(
      others.whereRef('other.content_digest', '=', 'rows.content_digest').where('other.ordered', '=', sql.lit(1)), // the index has these alone
    ),
  ]);
}

/** What the books say about each row key of a page, as far as its class depends on it. */
export async function historiesOf(
  db: Kysely<Tables>,
  question: HistoryQuestion,
): Promise<(rowKey: string) => RowHistory> {
  if (question.rows.length === 0) return () => nothing;
  const paid = await paidAttempts(db, question);
  const open = await openRows(db, question);
  const elsewhere = await sameContent(db, question);
  const digests = new Map(question.rows.map(({ rowKey, contentDigest }) => [rowKey, contentDigest]));
  return (rowKey) => ({
    paid: paid.get(rowKey) ?? [],
    open: open.get(rowKey) ?? null,
    elsewhere: elsewhere(rowKey, digests.get(rowKey) ?? ''),
  });
}

/** Orders that spent or may have spent; those whose hold was released count as never made. */
async function paidAttempts(
  db: Kysely<Tables>,
  { lineageNo, rows }: HistoryQuestion,
): Promise<ReadonlyMap<string, readonly PaidAttempt[]>> {
  const found = await db
    .selectFrom('orders')
    .innerJoin('rows', (join) =>
      join.onRef('rows.batch_id', '=', 'orders.batch_id').onRef('rows.row_key', '=', 'orders.row_key'),
    )
    .leftJoin('reviews', (join) =>
      join.onRef('reviews.batch_id', '=', 'orders.batch_id').onRef('reviews.row_key', '=', 'orders.row_key'),
    )
    .select(['orders.row_key', 'orders.attempt', 'orders.batch_id', 'orders.content_digest', 'rows.state'])
    .select('reviews.verdict')
    .where('orders.lineage_no', '=', lineageNo)
    .where('orders.row_key', 'in', keysOf(rows))
    .where('orders.money', '!=', 'released')
    .orderBy('orders.attempt')
    .execute();
  const attempts = new Map<string, PaidAttempt[]>();
  for (const { row_key, attempt, batch_id: batchId, content_digest: contentDigest, state, verdict } of found) {
    const redo = verdict === 'redo';
    attempts.set(row_key, [...(attempts.get(row_key) ?? []), { attempt, batchId, contentDigest, state, redo }]);
  }
  return attempts;
}

async function openRows(
  db: Kysely<Tables>,
  { lineageNo, batchId, rows }: HistoryQuestion,
): Promise<ReadonlyMap<string, NonNullable<RowHistory['open']>>> {
  const found = await db
    .selectFrom('rows')
    .select(['row_key', 'batch_id', 'content_digest', 'state'])
    .where('lineage_no', '=', lineageNo)
    .where('row_key', 'in', keysOf(rows))
    .where(isOpen())
    .$if(batchId !== null, (query) => query.where('batch_id', '!=', batchId ?? ''))
    .execute();
  return new Map(
    found.map(({ row_key, batch_id, content_digest: contentDigest, state }) => [
      row_key,
      { batchId: batch_id, contentDigest, state },
    ]),
  );
}

function keysOf(rows: HistoryQuestion['rows']): string[] {
  return rows.map(({ rowKey }) => rowKey);
}
