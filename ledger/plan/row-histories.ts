import type { ExpressionBuilder, Kysely } from 'kysely';
import { openBatchStates } from '../../domain/batch-state.js';
import type { PaidAttempt, RowHistory } from '../../domain/row-class.js';
import type { BatchRecord } from '../batches/batch-record.js';
import { classed, isOpen, isOrdered } from '../database/partial-indexes.js';
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
  const recovered = db.selectFrom('recovered_movies').select('movie_id').where('service_no', '=', serviceNo);
  const { found } = await db
    .selectNoFrom((eb) => eb.or([order, open, plan, recovered].map((each) => eb.exists(each))).as('found'))
    .executeTakeFirstOrThrow();
  return Boolean(found);
}

/**
 * Positions of the rows of a batch whose class the books may say anything about: all that were not new, those with an
 * order of their key or an open row of it elsewhere, and those whose content is, or was, to be ordered elsewhere, as the
 * content of each order is; and those whose movie is in the archive and not in the books. What no row can have is asked
 * once (`exists` of a whole lineage), not for each. In the order of the sheet.
 */
export async function rowsWithHistory(
  db: Kysely<Tables>,
  { batch_id: batchId, lineage_no: lineageNo, service_no: serviceNo }: BatchRecord,
): Promise<readonly number[]> {
  const own = db.selectFrom('rows').select('rows.position').where('rows.batch_id', '=', batchId);
  const ordersOf = (eb: ExpressionBuilder<Tables, 'rows'>) =>
    eb.selectFrom('orders').select('orders.row_key').where('orders.lineage_no', '=', lineageNo);
  const others = (eb: ExpressionBuilder<Tables, 'rows'>) =>
    eb.selectFrom('rows as other').select('other.batch_id').where('other.batch_id', '!=', batchId);
  const openOf = (eb: ExpressionBuilder<Tables, 'rows'>) =>
    others(eb).where('other.lineage_no', '=', lineageNo).where(isOpen('other'));
  const found = [await own.where(classed).execute()];
  if (await anyHistory(db, { serviceNo, lineageNo, batchId })) {
    const ofKey = own.where((eb) =>
      eb.or([
        eb.and([eb.exists(ordersOf(eb)), eb.exists(ordersOf(eb).whereRef('orders.row_key', '=', 'rows.row_key'))]),
        eb.and([eb.exists(openOf(eb)), eb.exists(openOf(eb).whereRef('other.row_key', '=', 'rows.row_key'))]),
      ]),
    );
    const ofContent = own
      .where(isOrdered())
      .where((eb) =>
        eb.exists(others(eb).whereRef('other.content_digest', '=', 'rows.content_digest').where(isOrdered('other'))),
      );
    const ofArchive = own
      .innerJoin('recovered_movies', 'recovered_movies.content_digest', 'rows.content_digest')
      .where('recovered_movies.service_no', '=', serviceNo)
      .where(isOrdered());
    found.push(await ofKey.execute(), await ofContent.execute(), await ofArchive.execute());
  }
  const positions = found.flat().map(({ position }) => position);
  return [...new Set(positions)].sort((one, other) => one - other);
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
