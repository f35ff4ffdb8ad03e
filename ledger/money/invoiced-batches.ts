import { type Kysely, sql } from 'kysely';
import type { Actor } from '../../domain/roles.js';
import { appendAudit } from '../access/audit.js';
import type { Tables } from '../database/tables.js';
import type { Tx } from '../ledger.js';

/** How far invoices cover what a batch has made. */
export interface InvoicedShare {
  /** Movies that an invoice is expected to charge: those that cost something by the entries. */
  readonly movies: number;
  /** Of those, the ones that an invoice charges. */
  readonly invoiced: number;
  /** The batch is over and no movie is left to be invoiced. */
  readonly complete: boolean;
}

export async function invoicedShare(db: Kysely<Tables>, batchId: string): Promise<InvoicedShare> {
  const order = db.selectFrom('orders').where('orders.batch_id', '=', batchId).where('orders.money', '=', 'posted');
  const isCharged = sql<number>`case when
    exists (select 1 from invoice_lines as by_id where by_id.service_no = orders.service_no
      and by_id.movie_id = orders.movie_id and by_id.amount_minor >= 0)
    or exists (select 1 from invoice_lines as by_key where by_key.service_no = orders.service_no
      and by_key.idempotency_key = orders.idempotency_key and by_key.amount_minor >= 0)
    then 1 else 0 end`;
  const costs = sql<number>`(select sum(case kind when 'post' then entries.amount_minor
      when 'correction' then entries.amount_minor when 'refund' then -entries.amount_minor else 0 end)
    from entries where entries.batch_id = orders.batch_id and entries.row_key = orders.row_key
      and entries.attempt = orders.attempt)`;
  const each = order.select([isCharged.as('charged'), costs.as('booked')]).as('each');
  const { movies, invoiced } = await db
    .selectFrom(each)
    .select(
      sql<number>`cast(coalesce(sum(case when charged = 1 or booked <> 0 then 1 else 0 end), 0) as bigint)`.as(
        'movies',
      ),
    )
    .select(sql<number>`cast(coalesce(sum(charged), 0) as bigint)`.as('invoiced'))
    .executeTakeFirstOrThrow();
  const batch = await db
    .selectFrom('batches')
    .select('state')
    .where('batch_id', '=', batchId)
    .executeTakeFirstOrThrow();
  const isOver = batch.state === 'closed' || batch.state === 'canceled';
  return { movies, invoiced, complete: isOver && movies > 0 && invoiced === movies };
}

/** Records each of these batches once that no invoice is missing for any more. @returns those that it recorded. */
export async function noteInvoicedBatches(
  tx: Tx,
  { batchIds, actor, nowMs }: { readonly batchIds: readonly string[]; readonly actor: Actor; readonly nowMs: number },
): Promise<readonly string[]> {
  const noted: string[] = [];
  for (const batchId of [...new Set(batchIds)].sort()) {
    const { movies, complete } = await invoicedShare(tx, batchId);
    if (!complete || (await isNoted(tx, batchId))) continue;
    await appendAudit(tx, { atMs: nowMs, actor, act: 'invoiced', object: batchId, detail: { movies } });
    noted.push(batchId);
  }
  return noted;
}

async function isNoted(tx: Tx, batchId: string): Promise<boolean> {
  const found = await tx
    .selectFrom('audit')
    .select('seq')
    .where('object', '=', batchId)
    .where('act', '=', 'invoiced')
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
