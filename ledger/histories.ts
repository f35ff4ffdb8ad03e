import type { PaidAttempt, RowHistory } from '../domain/row-class.js';
import type { Tx } from './ledger.js';

export interface HistoryQuestion {
  readonly serviceNo: number;
  readonly lineageNo: number;
  /** The batch that asks; its own rows are no history. */
  readonly batchId: string;
  readonly rows: readonly { readonly rowKey: string; readonly contentDigest: string }[];
}

const nothing: RowHistory = { paid: [], open: null, paidElsewhere: null };

/** What the books say about each row key of a page, as far as its class depends on it. */
export async function historiesOf(tx: Tx, question: HistoryQuestion): Promise<(rowKey: string) => RowHistory> {
  if (question.rows.length === 0) return () => nothing;
  const paid = await paidAttempts(tx, question);
  const open = await openRows(tx, question);
  const elsewhere = await paidElsewhere(tx, question);
  const digests = new Map(question.rows.map(({ rowKey, contentDigest }) => [rowKey, contentDigest]));
  return (rowKey) => ({
    paid: paid.get(rowKey) ?? [],
    open: open.get(rowKey) ?? null,
    paidElsewhere: elsewhere(rowKey, digests.get(rowKey) ?? ''),
  });
}

/** Orders that spent or may have spent; those whose hold was released count as never made. */
async function paidAttempts(
  tx: Tx,
  { lineageNo, rows }: HistoryQuestion,
): Promise<ReadonlyMap<string, readonly PaidAttempt[]>> {
  const found = await tx
    .selectFrom('orders')
    .innerJoin('rows', (join) =>
      join.onRef('rows.batch_id', '=', 'orders.batch_id').onRef('rows.row_key', '=', 'orders.row_key'),
    )
    .select(['orders.row_key', 'orders.attempt', 'orders.batch_id', 'orders.content_digest', 'rows.state'])
    .where('orders.lineage_no', '=', lineageNo)
    .where('orders.row_key', 'in', keysOf(rows))
    .where('orders.money', '!=', 'released')
    .orderBy('orders.attempt')
    .execute();
  const attempts = new Map<string, PaidAttempt[]>();
  for (const { row_key, attempt, batch_id: batchId, content_digest: contentDigest, state } of found) {
    attempts.set(row_key, [...(attempts.get(row_key) ?? []), { attempt, batchId, contentDigest, state }]);
  }
  return attempts;
}

async function openRows(
  tx: Tx,
  { lineageNo, batchId, rows }: HistoryQuestion,
): Promise<ReadonlyMap<string, NonNullable<RowHistory['open']>>> {
  const found = await tx
    .selectFrom('rows')
    .select(['row_key', 'batch_id', 'content_digest', 'state'])
    .where('lineage_no', '=', lineageNo)
    .where('row_key', 'in', keysOf(rows))
    .where('open', '=', 1)
    .where('batch_id', '!=', batchId)
    .execute();
  return new Map(
    found.map(({ row_key, batch_id, content_digest: contentDigest, state }) => [
      row_key,
      { batchId: batch_id, contentDigest, state },
    ]),
  );
}

async function paidElsewhere(
  tx: Tx,
  { serviceNo, lineageNo, rows }: HistoryQuestion,
): Promise<(rowKey: string, contentDigest: string) => RowHistory['paidElsewhere']> {
  const found = await tx
    .selectFrom('orders')
    .select(['content_digest', 'lineage_no', 'row_key', 'batch_id'])
    .where('service_no', '=', serviceNo)
    .where('content_digest', 'in', [...new Set(rows.map(({ contentDigest }) => contentDigest))])
    .where('money', '!=', 'released')
    .execute();
  const byContent = new Map<string, typeof found>();
  for (const order of found)
    byContent.set(order.content_digest, [...(byContent.get(order.content_digest) ?? []), order]);
  return (rowKey, contentDigest) => {
    const orders = byContent.get(contentDigest) ?? [];
    const other = orders.find((order) => order.lineage_no !== lineageNo || order.row_key !== rowKey);
    return other ? { batchId: other.batch_id, rowKey: other.row_key } : null;
  };
}

function keysOf(rows: HistoryQuestion['rows']): string[] {
  return rows.map(({ rowKey }) => rowKey);
}
