import { type Kysely, sql } from 'kysely';
import type { Brief } from '../../domain/brief.js';
import { archivedAmong } from '../archived/archived-batches.js';
import { inArchivedFile } from '../archived/archived-error.js';
import { briefOf, type FileView } from '../batches/rows.js';
import { pastPlanned } from '../database/partial-indexes.js';
import type { FilesTable, Tables } from '../database/tables.js';
import type { Ledger } from '../ledger.js';
import type { Review } from './reviews.js';

/** A delivered movie as a reviewer sees it: no money. */
export interface Movie {
  /** From 0, in the order of the sheet. */
  readonly position: number;
  readonly rowKey: string;
  readonly brief: Pick<Brief, 'prompt' | 'durationSeconds' | 'aspectRatio'>;
  /** `as ordered`, or `needs review: …`. */
  readonly verdict: string;
  readonly files: readonly FileView[];
  readonly review: Review | null;
}

/** `differs`: measured against asked, it is not what was ordered. */
export type MovieFilter = 'all' | 'unreviewed' | 'differs' | 'redo';

export interface MoviePage {
  readonly batchId: string;
  readonly filter: MovieFilter;
  /** Of this one; null for those of all, and of none. */
  readonly market: string | null;
  readonly afterPosition?: number;
  readonly limit: number;
}

/** Movies that the batch delivered, in the order of its sheet. */
export async function listMovies({ db }: Pick<Ledger, 'db'>, page: MoviePage): Promise<readonly Movie[]> {
  const { batchId, afterPosition = -1, limit } = page;
  const rows = await moviesOf(db, page)
    .select(['rows.position', 'rows.row_key', 'rows.brief', 'rows.verdict'])
    .select(['reviews.verdict as said', 'reviews.note', 'reviews.by_name', 'reviews.at_ms'])
    .where('rows.position', '>', afterPosition)
    .orderBy('rows.position')
    .limit(limit)
    .execute();
  const keys = rows.map(({ row_key }) => row_key);
  const files = await filesOf(db, batchId, keys);
  return rows.map(({ position, row_key: rowKey, brief, verdict, said, note, by_name: by, at_ms: atMs }) => ({
    ...{ position, rowKey, verdict: verdict ?? '', files: files.get(rowKey) ?? [] },
    brief: briefOf({ batch_id: batchId, brief }),
    review: said === null || by === null || atMs === null ? null : { verdict: said, note, by, atMs },
  }));
}

export interface MovieCounts {
  readonly all: number;
  readonly ok: number;
  readonly redo: number;
  readonly differs: number;
}

export async function countMovies(
  { db }: Pick<Ledger, 'db'>,
  of: Pick<MoviePage, 'batchId' | 'market'>,
): Promise<MovieCounts> {
  const count = (when: string) =>
    sql<number>`cast(coalesce(sum(case when ${sql.raw(when)} then 1 else 0 end), 0) as bigint)`;
  return moviesOf(db, { ...of, filter: 'all' })
    .select((eb) => eb.fn.countAll<number>().as('all'))
    .select([count("reviews.verdict = 'ok'").as('ok'), count("reviews.verdict = 'redo'").as('redo')])
    .select(count("rows.verdict <> 'as ordered'").as('differs'))
    .executeTakeFirstOrThrow();
}

/** One file of a delivered movie; null where there is none. */
export async function findMovieFile(
  { db }: Pick<Ledger, 'db'>,
  { batchId, rowKey, assetId }: { readonly batchId: string; readonly rowKey: string; readonly assetId: string },
): Promise<FileView | null> {
  const files = await filesOf(db, batchId, [rowKey]);
  const found = files.get(rowKey)?.find((file) => file.assetId === assetId);
  if (!found && (await archivedAmong(db, batchId))) throw inArchivedFile(batchId);
  return found ?? null;
}

function moviesOf(db: Kysely<Tables>, { batchId, filter, market }: Pick<MoviePage, 'batchId' | 'filter' | 'market'>) {
  return (
    db
      .selectFrom('rows')
      .leftJoin('reviews', (join) =>
        join.onRef('reviews.batch_id', '=', 'rows.batch_id').onRef('reviews.row_key', '=', 'rows.row_key'),
      )
      .where('rows.batch_id', '=', batchId)
      .where('rows.state', '=', 'delivered')
      // Either way in the order of an index: of the states, or of the markets.
      .$if(market === null, (query) => query.where(pastPlanned))
      .$if(market !== null, (query) => query.where('rows.market', '=', market))
      .$if(filter === 'unreviewed', (query) => query.where('reviews.verdict', 'is', null))
      .$if(filter === 'redo', (query) => query.where('reviews.verdict', '=', 'redo'))
      .$if(filter === 'differs', (query) => query.where('rows.verdict', '<>', 'as ordered'))
  );
}

async function filesOf(
  db: Kysely<Tables>,
  batchId: string,
  rowKeys: readonly string[],
): Promise<ReadonlyMap<string, readonly FileView[]>> {
  const files = new Map<string, FileView[]>();
  if (rowKeys.length === 0) return files;
  const found = await db
    .selectFrom('files')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('row_key', 'in', [...rowKeys])
    .orderBy('path')
    .execute();
  for (const file of found) files.set(file.row_key, [...(files.get(file.row_key) ?? []), viewOf(file)]);
  return files;
}

function viewOf({ asset_id: assetId, type, path, size_bytes: sizeBytes, sha256 }: FilesTable): FileView {
  return { assetId, type, path, sizeBytes, sha256 };
}
