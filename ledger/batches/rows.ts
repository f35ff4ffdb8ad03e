import type { Kysely, Selectable } from 'kysely';
import type { RowCounts } from '../../domain/batch-state.js';
import type { Brief } from '../../domain/brief.js';
import type { RowClass } from '../../domain/row-class.js';
import type { RowState } from '../../domain/row-state.js';
import type { BlockReason } from '../../domain/stop.js';
import { inArchivedFile, isInArchivedFile } from '../archived/archived-error.js';
import { orderOfRow } from '../database/order-of-row.js';
import { byPages } from '../database/paging.js';
import { pastPlanned } from '../database/partial-indexes.js';
import type { FilesTable, RowsTable, Tables } from '../database/tables.js';
import { type Ledger, LedgerError } from '../ledger.js';
import { positionsOf, type RowPage } from './row-filter.js';
import { lineOf } from './row-lines.js';

export interface FileView {
  readonly assetId: string;
  readonly type: string;
  /** Within the archive. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** What a row's class speaks of: another batch, the key and state there, the fields that differ. */
export interface ClassDetail {
  readonly batchId: string;
  readonly rowKey?: string;
  readonly state?: string;
  readonly changed?: readonly string[];
}

export interface RowView {
  /** From 0, in the order of the sheet. */
  readonly position: number;
  /** As a spreadsheet numbers it. */
  readonly row: number;
  readonly rowKey: string;
  readonly class: RowClass;
  readonly classDetail: ClassDetail | null;
  /** Whether this batch orders it. */
  readonly ordered: boolean;
  readonly state: RowState;
  readonly brief: Brief;
  readonly cells: readonly string[];
  readonly contentDigest: string;
  readonly amountMinor: number | null;
  readonly credits: number | null;
  readonly runtimeSeconds: number | null;
  readonly estimateProblem: string | null;
  readonly slice: number | null;
  readonly attempt: number | null;
  readonly idempotencyKey: string | null;
  /** What became of the money of the attempt. */
  readonly money: 'held' | 'posted' | 'released' | null;
  readonly movieId: string | null;
  readonly serviceStatus: string | null;
  readonly percent: number | null;
  readonly stage: string | null;
  readonly polls: number;
  readonly blocked: { readonly reason: BlockReason; readonly sinceMs: number } | null;
  readonly reason: string | null;
  readonly verdict: string | null;
  readonly alarm: string | null;
  readonly cancelRequested: boolean;
  readonly orderedAtMs: number | null;
  readonly deadlineAtMs: number | null;
  readonly nextLookAtMs: number | null;
  /** When the service had finished it, as far as we know. */
  readonly finishedAtMs: number | null;
  readonly endedAtMs: number | null;
  readonly files: readonly FileView[];
  /** Its brief, cells and files are in the file of its batch: to ask for them here throws. */
  readonly archived: boolean;
}

/** How many rows are in each state; states without rows are left out. */
export async function countRows(ledger: Ledger, batchId: string): Promise<RowCounts> {
  return countsOf(ledger.db, batchId);
}

export async function countsOf(db: Kysely<Tables>, batchId: string): Promise<RowCounts> {
  return (await countsOfMany(db, [batchId])).get(batchId) ?? {};
}

/** The counts of many batches, read together. */
export async function countsOfMany(
  db: Kysely<Tables>,
  batchIds: readonly string[],
): Promise<ReadonlyMap<string, RowCounts>> {
  if (batchIds.length === 0) return new Map();
  const counts = await db
    .selectFrom('rows')
    .select((eb) => ['batch_id', 'state', eb.fn.countAll<number>().as('count')])
    .where('batch_id', 'in', batchIds)
    .where(pastPlanned)
    .groupBy(['batch_id', 'state'])
    .execute();
  const batches = await db
    .selectFrom('batches')
    .select(['batch_id', 'rows_in_sheet'])
    .where('batch_id', 'in', batchIds)
    .execute();
  return new Map(
    batches.map(({ batch_id, rows_in_sheet }) => {
      const others = counts.filter((one) => one.batch_id === batch_id);
      const planned = others.reduce((left, { count }) => left - count, rows_in_sheet);
      const all = others.map(({ state, count }) => [state, count] as const);
      return [batch_id, Object.fromEntries(planned > 0 ? [['planned', planned], ...all] : all)];
    }),
  );
}

/** A page of rows in the order of the sheet. */
export async function listRows(ledger: Ledger, batchId: string, page: RowPage): Promise<readonly RowView[]> {
  const { limit, afterPosition, ...filter } = page;
  const ofAll = Object.values(filter).every((one) => one === undefined || one === false);
  if (ofAll) {
    return rowViews(ledger.db, (query) =>
      query
        .where('rows.batch_id', '=', batchId)
        .where('rows.position', '>', afterPosition ?? -1)
        .orderBy('rows.position')
        .limit(limit),
    );
  }
  const positions = await positionsOf(ledger.db, batchId, page);
  if (positions.length === 0) return [];
  return rowViews(ledger.db, (query) =>
    query.where('rows.batch_id', '=', batchId).where('rows.position', 'in', positions).orderBy('rows.position'),
  );
}

/** @throws LedgerError for a key that the batch does not have. */
export async function readRow(ledger: Ledger, batchId: string, rowKey: string): Promise<RowView> {
  const [view] = await rowViews(ledger.db, (query) =>
    query.where('rows.batch_id', '=', batchId).where('rows.row_key', '=', rowKey),
  );
  if (view) return view;
  throw unknownRow(batchId, rowKey);
}

const pageSize = 500;

/** Every row in the order of the sheet, a page in memory at a time. */
export function eachRow(ledger: Ledger, batchId: string): AsyncGenerator<RowView, void, undefined> {
  return byPages({
    pageSize,
    first: -1,
    keyOf: ({ position }) => position,
    read: (afterPosition) => listRows(ledger, batchId, { afterPosition, limit: pageSize }),
  });
}

export function unknownRow(batchId: string, rowKey: string): LedgerError {
  return new LedgerError('unknown_row', `Cannot find row ${rowKey}: there is no such row in batch ${batchId}`);
}

function baseQuery(db: Kysely<Tables>) {
  return db
    .selectFrom('rows')
    .leftJoin('orders', orderOfRow)
    .selectAll('rows')
    .select(['orders.idempotency_key', 'orders.money']);
}

type BaseQuery = ReturnType<typeof baseQuery>;
type BaseRow = Awaited<ReturnType<BaseQuery['execute']>>[number];

export async function rowViews(
  db: Kysely<Tables>,
  narrow: (query: BaseQuery) => BaseQuery,
): Promise<readonly RowView[]> {
  const rows = await narrow(baseQuery(db)).execute();
  const files = await filesOf(db, rows);
  return rows.map((row) => viewOf(row, files.get(row.row_key) ?? []));
}

async function filesOf(
  db: Kysely<Tables>,
  rows: readonly BaseRow[],
): Promise<ReadonlyMap<string, readonly FileView[]>> {
  const files = new Map<string, FileView[]>();
  const keys = rows.filter(({ state }) => state === 'delivered').map(({ row_key }) => row_key);
  const [first] = rows;
  if (!first || keys.length === 0) return files;
  const found = await db
    .selectFrom('files')
    .selectAll()
    .where('batch_id', '=', first.batch_id)
    .where('row_key', 'in', keys)
    .orderBy('row_key')
    .orderBy('path')
    .execute();
  for (const file of found) files.set(file.row_key, [...(files.get(file.row_key) ?? []), fileOf(file)]);
  return files;
}

function fileOf({ asset_id: assetId, type, path, size_bytes: sizeBytes, sha256 }: FilesTable): FileView {
  return { assetId, type, path, sizeBytes, sha256 };
}

function viewOf(row: BaseRow, files: readonly FileView[]): RowView {
  const rest = {
    ...lineOf(row),
    classDetail: row.class_of === null ? null : (JSON.parse(row.class_of) as ClassDetail),
    contentDigest: row.content_digest,
    credits: row.credits,
    runtimeSeconds: row.runtime_seconds,
    estimateProblem: row.estimate_problem,
    slice: row.slice,
    idempotencyKey: row.idempotency_key,
    money: row.money,
    polls: row.polls,
    archived: isInArchivedFile(row),
  };
  if (!rest.archived) return { ...rest, brief: briefOf(row), cells: JSON.parse(row.cells) as string[], files };
  // Lists show it as ever; whoever needs more is told where that is, and never that there is nothing.
  const elsewhere = (): never => {
    throw inArchivedFile(row.batch_id);
  };
  const details = { brief: { get: elsewhere }, cells: { get: elsewhere }, files: { get: elsewhere } };
  return Object.defineProperties(rest, details) as unknown as RowView;
}

/** @throws LedgerError `archived` where it is in the file of its batch. */
export function briefOf(row: Pick<Selectable<RowsTable>, 'batch_id' | 'brief'>): Brief {
  if (isInArchivedFile(row)) throw inArchivedFile(row.batch_id);
  return JSON.parse(row.brief) as Brief; // written by createBatch
}
