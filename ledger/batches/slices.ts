import { sql } from 'kysely';
import { begunStates, isBegun, settledStates } from '../../domain/row-state.js';
import { countRowsAnew } from '../database/postgres.js';
import type { Ledger } from '../ledger.js';
import { lockBatch } from './batch-record.js';

/** So many that what PostgreSQL knew of the rows is no longer true. */
const manyRows = 500;

/**
 * Cuts the rows to order into slices of `sliceRows`, in the order of the sheet. A batch is cut once: later calls answer
 * with the same slices, whatever size they ask for.
 *
 * @returns maxInFlight: the batch's own limit as it is now, null where it has none.
 */
export async function sliceBatch(
  ledger: Ledger,
  { batchId, sliceRows }: { readonly batchId: string; readonly sliceRows: number },
): Promise<{ readonly slices: number; readonly maxInFlight: number | null }> {
  const { rowsCut, ...made } = await ledger.write(async (tx) => {
    const batch = await lockBatch(tx, batchId);
    const { max_in_flight: maxInFlight } = batch;
    const cut = await tx
      .selectFrom('slices')
      .select(sql<number>`cast(count(*) as bigint)`.as('count'))
      .where('batch_id', '=', batchId)
      .executeTakeFirstOrThrow();
    if (cut.count > 0) return { slices: cut.count, maxInFlight, rowsCut: 0 };
    await sql`
      update rows set slice = cut.slice
      from (
        select position, (row_number() over (order by position) - 1) / ${sql.lit(sliceRows)} as slice
        from rows where batch_id = ${batchId} and ordered = 1
      ) as cut
      where rows.batch_id = ${batchId} and rows.position = cut.position`.execute(tx);
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('slices')
      .columns(['batch_id', 'slice', 'first_position', 'last_position'])
      .expression((eb) =>
        eb
          .selectFrom('rows')
          .select((inner) => [
            'batch_id',
            inner.ref('slice').$notNull().as('slice'),
            sql<number>`min(position)`.as('first'),
            sql<number>`max(position)`.as('last'),
          ])
          .where('batch_id', '=', batchId)
          .where('slice', 'is not', null)
          .groupBy(['batch_id', 'slice']),
      )
      .executeTakeFirstOrThrow();
    return { slices: Number(numInsertedOrUpdatedRows ?? 0), maxInFlight, rowsCut: batch.rows_to_order };
  });
  if (rowsCut >= manyRows) await countRowsAnew(ledger.db);
  return made;
}

/**
 * The rows of a slice that are not settled, and the last end number given in it. Those that were admitted come first,
 * each part in the order of the sheet: rows behind them may wait for the very places that they hold.
 */
export async function sliceRows(
  ledger: Ledger,
  { batchId, slice }: { readonly batchId: string; readonly slice: number },
): Promise<{ readonly rowKeys: readonly string[]; readonly seen: number }> {
  const cut = await ledger.db
    .selectFrom('slices')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('slice', '=', slice)
    .executeTakeFirst();
  if (!cut) return { rowKeys: [], seen: 0 };
  const rows = await ledger.db
    .selectFrom('rows')
    .select(['row_key', 'state'])
    .where('batch_id', '=', batchId)
    .where('position', '>=', cut.first_position)
    .where('position', '<=', cut.last_position)
    .where('slice', '=', slice)
    .where('state', 'not in', [...settledStates])
    .orderBy('position')
    .execute();
  const inOrder = [...rows.filter(({ state }) => isBegun(state)), ...rows.filter(({ state }) => !isBegun(state))];
  return { rowKeys: inOrder.map(({ row_key }) => row_key), seen: cut.last_end };
}

/** How many rows of each slice are not settled; slices that are done are left out. */
export async function openRows(
  ledger: Ledger,
  { batchId }: { readonly batchId: string },
): Promise<readonly { readonly slice: number; readonly rows: number }[]> {
  const open = await ledger.db
    .selectFrom('rows')
    .select((eb) => [eb.ref('slice').$notNull().as('slice'), sql<number>`cast(count(*) as bigint)`.as('rows')])
    .where('batch_id', '=', batchId)
    .where('slice', 'is not', null)
    .where('state', 'not in', [...settledStates])
    .groupBy('slice')
    .orderBy('slice')
    .execute();
  return open;
}

/**
 * Slices with rows that are ordered, or may be, and have no end yet. A batch that is started again takes them up before
 * all others: these may wait for the very places that those rows hold, or will hold once a person has resolved them, and
 * a movie that is made has to be saved while the service has it.
 */
export async function slicesBegun(
  ledger: Ledger,
  { batchId }: { readonly batchId: string },
): Promise<readonly number[]> {
  const slices = await ledger.db
    .selectFrom('rows')
    .select((eb) => eb.ref('slice').$notNull().as('slice'))
    .distinct()
    .where('batch_id', '=', batchId)
    .where('state', 'in', [...begunStates])
    .where('slice', 'is not', null)
    .orderBy('slice')
    .execute();
  return slices.map(({ slice }) => slice);
}
