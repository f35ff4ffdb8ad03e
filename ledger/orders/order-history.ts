import type { Kysely } from 'kysely';
import type { CreateAnswer } from '../../domain/answers/create-answer.js';
import type { OrdersTable, Tables } from '../database/tables.js';

/** One POST that was allowed to leave, and what came back. */
export interface SendRecord {
  readonly atMs: number;
  readonly answeredMs: number | null;
  /** Null while no answer is known. */
  readonly answer: CreateAnswer | null;
  /** The service's own name of the request. */
  readonly requestId: string | null;
}

/** One numbered attempt to have the movie of a key made. */
export interface AttemptRecord {
  readonly attempt: number;
  readonly batchId: string;
  readonly amountMinor: number;
  readonly money: OrdersTable['money'];
  readonly movieId: string | null;
  readonly idempotencyKey: string;
  /** Its sends are in the file of its batch, which is archived: none are listed here. */
  readonly archived: boolean;
  readonly sends: readonly SendRecord[];
}

/** Every attempt of a row's key in its lineage, in whichever batch, the oldest first. */
export async function orderHistory(
  db: Kysely<Tables>,
  { batchId, rowKey }: { readonly batchId: string; readonly rowKey: string },
): Promise<readonly AttemptRecord[]> {
  const { lineage_no } = await db
    .selectFrom('batches')
    .select('lineage_no')
    .where('batch_id', '=', batchId)
    .executeTakeFirstOrThrow();
  const ofKey = { lineage_no, row_key: rowKey };
  const orders = await db
    .selectFrom('orders')
    .leftJoin('archived_batches', 'archived_batches.batch_id', 'orders.batch_id')
    .selectAll('orders')
    .select('archived_batches.path as archived_path')
    .where('lineage_no', '=', ofKey.lineage_no)
    .where('row_key', '=', ofKey.row_key)
    .orderBy('attempt')
    .execute();
  const sends = await db
    .selectFrom('sends')
    .selectAll()
    .where('lineage_no', '=', ofKey.lineage_no)
    .where('row_key', '=', ofKey.row_key)
    .orderBy('send_id')
    .execute();
  return orders.map((order) => ({
    ...{ attempt: order.attempt, batchId: order.batch_id, amountMinor: order.amount_minor, money: order.money },
    ...{ movieId: order.movie_id, idempotencyKey: order.idempotency_key },
    archived: order.archived_path !== null,
    sends: sends
      .filter(({ attempt }) => attempt === order.attempt)
      .map(({ at_ms, answered_ms, answer, request_id }) => ({
        ...{ atMs: at_ms, answeredMs: answered_ms, requestId: request_id },
        answer: answer === null ? null : (JSON.parse(answer) as CreateAnswer), // written by recordAnswer
      })),
  }));
}
