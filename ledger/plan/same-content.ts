import { type Kysely, sql } from 'kysely';
import type { RowHistory } from '../../domain/row-class.js';
import { isOrdered } from '../database/partial-indexes.js';
import { onPostgres } from '../database/postgres.js';
import type { Tables } from '../database/tables.js';
import { recoveredOf } from './recovered-movies.js';
import type { HistoryQuestion } from './row-histories.js';

type Elsewhere = NonNullable<RowHistory['elsewhere']>;
/** Without a lineage where the books do not know the order. */
type Found = Elsewhere & { readonly lineageNo: number | null; readonly content: string };

/**
 * Of two plans with the same content one is decided on first, and the other one sees it: PostgreSQL's plans take turns
 * here, before their rows are compared with the books. SQLite has one writer.
 */
export async function lockContents(db: Kysely<Tables>, serviceNo: number): Promise<void> {
  if (onPostgres(db)) await sql`select pg_advisory_xact_lock(${sql.lit(lockClass)}, ${serviceNo}::int)`.execute(db);
}

/** Any number that no other advisory lock of this database has. */
const lockClass = 20_003;

/**
 * Where the service has, or would have, the content of a row under another key or in another campaign: paid, approved,
 * or in a plan that was submitted before this one and is not over; or where the archive has it and the books do not.
 */
export async function sameContent(
  db: Kysely<Tables>,
  question: HistoryQuestion,
): Promise<(rowKey: string, contentDigest: string) => Elsewhere | null> {
  const contents = [...new Set(question.rows.map(({ contentDigest }) => contentDigest))];
  const found = [
    ...(await recovered(db, question, contents)),
    ...(await paid(db, question, contents)),
    ...(await planned(db, question, contents)),
  ];
  const byContent = new Map<string, Found[]>();
  for (const one of found) byContent.set(one.content, [...(byContent.get(one.content) ?? []), one]);
  return (rowKey, contentDigest) => {
    const other = byContent
      .get(contentDigest)
      ?.find((one) => one.lineageNo === null || one.lineageNo !== question.lineageNo || one.rowKey !== rowKey);
    if (!other) return null;
    const { content, lineageNo, ...elsewhere } = other;
    return elsewhere;
  };
}

async function recovered(
  db: Kysely<Tables>,
  { serviceNo }: HistoryQuestion,
  contents: readonly string[],
): Promise<readonly Found[]> {
  const movies = await recoveredOf(db, serviceNo, contents);
  return movies.map(({ content_digest: content, batch_id: batchId, row_key: rowKey }) => ({
    ...{ content, lineageNo: null, rowKey, batchId, state: 'recovered' as const },
  }));
}

async function paid(
  db: Kysely<Tables>,
  { serviceNo }: HistoryQuestion,
  contents: readonly string[],
): Promise<readonly Found[]> {
  const orders = await db
    .selectFrom('orders')
    .select(['content_digest', 'lineage_no', 'row_key', 'batch_id'])
    .where('service_no', '=', serviceNo)
    .where('content_digest', 'in', contents)
    .where('money', '!=', 'released')
    .execute();
  return orders.map(({ content_digest: content, lineage_no: lineageNo, row_key: rowKey, batch_id: batchId }) => ({
    ...{ content, lineageNo, rowKey, batchId },
  }));
}

/** Of two plans without a decision the earlier one counts, so that each pair of the same rows is ordered by one. */
async function planned(
  db: Kysely<Tables>,
  { serviceNo, batchId: own }: HistoryQuestion,
  contents: readonly string[],
): Promise<readonly Found[]> {
  const rows = await db
    .selectFrom('rows')
    .innerJoin('batches', 'batches.batch_id', 'rows.batch_id')
    .leftJoin('batches as own', (join) => join.on('own.batch_id', '=', own))
    .select(['content_digest', 'rows.lineage_no', 'row_key', 'rows.batch_id'])
    .where('rows.content_digest', 'in', contents)
    .where(isOrdered())
    .where('batches.service_no', '=', serviceNo)
    .$if(own !== null, (query) => query.where('rows.batch_id', '!=', own ?? ''))
    .where((eb) =>
      eb.or([
        eb('rows.open', '=', 1),
        eb.and([
          eb('batches.state', 'in', ['preparing', 'waiting']),
          eb.or([
            eb('own.batch_id', 'is', null),
            eb('batches.submitted_ms', '<', eb.ref('own.submitted_ms')),
            eb.and([
              eb('batches.submitted_ms', '=', eb.ref('own.submitted_ms')),
              eb('batches.batch_id', '<', eb.ref('own.batch_id')),
            ]),
          ]),
        ]),
      ]),
    )
    .execute();
  return rows.map(({ content_digest: content, lineage_no: lineageNo, row_key: rowKey, batch_id: batchId }) => ({
    ...{ content, lineageNo, rowKey, batchId, state: 'open' as const },
  }));
}
