import { type Kysely, sql } from 'kysely';
import { idempotencyKey } from '../../domain/idempotency-key.js';
import { orderOfRow } from '../database/order-of-row.js';
import type { Tables } from '../database/tables.js';
import { type BookFault, batchFault, otherFault } from './ledger-fault.js';

/** Compares orders with their entries and rows, in both directions, and approvals with their commitments. */
export async function checkOrders(db: Kysely<Tables>): Promise<readonly BookFault[]> {
  return [
    ...(await orderFaults(db)),
    ...(await entriesWithoutOrder(db)),
    ...(await rowsWithoutOrder(db)),
    ...(await ordersWithoutSend(db)),
    ...(await numbersFaults(db)),
    ...(await commitFaults(db)),
  ];
}

const sumOf = (kind: string) =>
  sql<number>`cast(coalesce((select sum(amount_minor) from entries where entries.batch_id = orders.batch_id
    and entries.row_key = orders.row_key and entries.attempt = orders.attempt and kind = ${sql.lit(kind)}), 0) as bigint)`;

async function orderFaults(db: Kysely<Tables>): Promise<readonly BookFault[]> {
  const orders = await db
    .selectFrom('orders')
    .innerJoin('lineages', 'lineages.lineage_no', 'orders.lineage_no')
    .innerJoin('services', 'services.service_no', 'orders.service_no')
    .leftJoin('rows', (join) =>
      join.onRef('rows.batch_id', '=', 'orders.batch_id').onRef('rows.row_key', '=', 'orders.row_key'),
    )
    .selectAll('orders')
    .select(['lineages.campaign', 'services.name', 'services.base_url'])
    .select(['rows.attempt as row_attempt', 'rows.movie_id as row_movie', 'rows.amount_minor as row_amount'])
    .select([sumOf('hold').as('held'), sumOf('post').as('posted'), sumOf('release').as('released')])
    .orderBy('orders.batch_id')
    .orderBy('orders.row_key')
    .orderBy('orders.attempt')
    .execute();
  return orders.flatMap((order) => {
    const { batch_id: batchId, row_key: rowKey, attempt, amount_minor: amount, money, movie_id: movieId } = order;
    const wrong = (kind: string, detail: string) => batchFault(kind, batchId, `attempt ${attempt}: ${detail}`, rowKey);
    const identity = { service: { name: order.name, baseUrl: order.base_url }, campaign: order.campaign };
    const key = idempotencyKey({ ...identity, rowKey, contentDigest: order.content_digest, attempt });
    const faults: BookFault[] = [];
    if (order.row_amount === null) faults.push(wrong('order_without_row', 'the batch has no such row'));
    if (key !== order.idempotency_key) faults.push(wrong('order_changed', 'its key is not the one of what it ordered'));
    const ends = { posted: money === 'posted' ? amount : 0, released: money === 'released' ? amount : 0 };
    if (order.held !== amount || order.posted !== ends.posted || order.released !== ends.released) {
      const { held, posted, released } = order;
      faults.push(
        wrong(
          'order_without_entry',
          `it is ${money} with ${amount}, entries: ${JSON.stringify({ held, posted, released })}`,
        ),
      );
    }
    if (order.row_attempt === attempt && order.row_movie !== movieId) {
      faults.push(wrong('movie_changed', `its movie is ${movieId}, the row has ${order.row_movie}`));
    }
    if (order.row_attempt === attempt && order.row_amount !== amount) {
      faults.push(wrong('order_changed', `it holds ${amount}, the row was planned with ${order.row_amount}`));
    }
    return faults;
  });
}

async function entriesWithoutOrder(db: Kysely<Tables>): Promise<readonly BookFault[]> {
  const entries = await db
    .selectFrom('entries')
    .leftJoin('orders', (join) =>
      join
        .onRef('orders.batch_id', '=', 'entries.batch_id')
        .onRef('orders.row_key', '=', 'entries.row_key')
        .onRef('orders.attempt', '=', 'entries.attempt'),
    )
    .select(['entries.batch_id', 'entries.row_key', 'entries.kind', 'entries.entry_id'])
    .where('entries.row_key', 'is not', null)
    .where('orders.batch_id', 'is', null)
    .orderBy('entries.entry_id')
    .execute();
  return entries.map(({ batch_id, row_key, kind, entry_id }) =>
    batchFault(
      'entry_without_order',
      batch_id,
      `entry ${entry_id} (${kind}) is of an order that is not there`,
      row_key,
    ),
  );
}

/** The first send is counted in the transaction that makes the order. */
async function ordersWithoutSend(db: Kysely<Tables>): Promise<readonly BookFault[]> {
  const orders = await db
    .selectFrom('orders')
    .leftJoin('sends', (join) =>
      join
        .onRef('sends.lineage_no', '=', 'orders.lineage_no')
        .onRef('sends.row_key', '=', 'orders.row_key')
        .onRef('sends.attempt', '=', 'orders.attempt'),
    )
    .select(['orders.batch_id', 'orders.row_key', 'orders.attempt'])
    .where('sends.send_id', 'is', null)
    .where('orders.batch_id', 'not in', (eb) => eb.selectFrom('archived_batches').select('archived_batches.batch_id'))
    .execute();
  return orders.map(({ batch_id, row_key, attempt }) =>
    batchFault('order_without_send', batch_id, `attempt ${attempt} was never sent by the books`, row_key),
  );
}

/** Each record of the audit says which entry and which send were the last ones then. */
async function numbersFaults(db: Kysely<Tables>): Promise<readonly BookFault[]> {
  const { entry, send, last_entry, last_send, last_archived } = await db
    .selectNoFrom((eb) => [
      eb
        .selectFrom('audit')
        .select((of) => of.fn.max('after_entry').as('max'))
        .as('entry'),
      eb
        .selectFrom('audit')
        .select((of) => of.fn.max('after_send').as('max'))
        .as('send'),
      eb
        .selectFrom('entries')
        .select((of) => of.fn.max('entry_id').as('max'))
        .as('last_entry'),
      eb
        .selectFrom('sends')
        .select((of) => of.fn.max('send_id').as('max'))
        .as('last_send'),
      eb
        .selectFrom('archived_batches')
        .select((of) => of.fn.max('last_send').as('max'))
        .as('last_archived'),
    ])
    .executeTakeFirstOrThrow();
  const cut = (what: string, recorded: number | null, last: number | null) =>
    (recorded ?? 0) > (last ?? 0)
      ? [otherFault(`${what}_cut`, what, `the last one is ${last ?? 0}, the audit knows of ${recorded}`)]
      : [];
  return [...cut('entries', entry, last_entry), ...cut('sends', send, Math.max(last_send ?? 0, last_archived ?? 0))];
}

/** States of a row whose movie was ordered and accepted. */
const made = ['running', 'overdue', 'archiving', 'delivered', 'lost', 'failed'] as const;

async function rowsWithoutOrder(db: Kysely<Tables>): Promise<readonly BookFault[]> {
  const rows = await db
    .selectFrom('rows')
    .leftJoin('orders', orderOfRow)
    .select(['rows.batch_id', 'rows.row_key', 'rows.state', 'orders.money'])
    .where('rows.state', 'in', made)
    .where((eb) => eb.or([eb('orders.money', 'is', null), eb('orders.money', '!=', 'posted')]))
    .execute();
  const bare = await db
    .selectFrom('rows')
    .leftJoin('files', (join) =>
      join.onRef('files.batch_id', '=', 'rows.batch_id').onRef('files.row_key', '=', 'rows.row_key'),
    )
    .select(['rows.batch_id', 'rows.row_key'])
    .where('rows.state', '=', 'delivered')
    .where('files.batch_id', 'is', null)
    .where('rows.batch_id', 'not in', (eb) => eb.selectFrom('archived_batches').select('archived_batches.batch_id'))
    .execute();
  return [
    ...rows.map(({ batch_id, row_key, state, money }) =>
      batchFault('row_without_order', batch_id, `it is ${state}, its order is ${money ?? 'missing'}`, row_key),
    ),
    ...bare.map(({ batch_id, row_key }) => batchFault('delivered_without_files', batch_id, 'it has no file', row_key)),
  ];
}

/** Every approval commits its total once, and nothing is committed without one. */
async function commitFaults(db: Kysely<Tables>): Promise<readonly BookFault[]> {
  const batches = await db
    .selectFrom('batches')
    .leftJoin('decisions', (join) =>
      join.onRef('decisions.batch_id', '=', 'batches.batch_id').on('decisions.kind', '=', 'approved'),
    )
    .select(['batches.batch_id', 'decisions.total_minor'])
    .select(
      sql<number>`cast(coalesce((select sum(amount_minor) from entries where entries.batch_id = batches.batch_id
        and kind = 'commit'), 0) as bigint)`.as('committed'),
    )
    .execute();
  return batches.flatMap(({ batch_id, total_minor, committed }) =>
    committed === (total_minor ?? 0)
      ? []
      : [
          batchFault(
            'commit_without_approval',
            batch_id,
            `${committed} is committed, ${total_minor ?? 0} was approved`,
          ),
        ],
  );
}
