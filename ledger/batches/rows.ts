import { type Kysely, sql } from 'kysely';
import type { RowCounts } from '../../domain/batch-state.js';
import type { Brief } from '../../domain/brief.js';
import type { RowClass } from '../../domain/row-class.js';
import type { RowState } from '../../domain/row-state.js';
import type { BlockReason } from '../../domain/stop.js';
import { byPages } from '../database/paging.js';
import type { FilesTable, Tables } from '../database/tables.js';
import { type Ledger, LedgerError } from '../ledger.js';

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
}

/** How many rows are in each state; states without rows are left out. */
export async function countRows(ledger: Ledger, batchId: string): Promise<RowCounts> {
  return countsOf(ledger.db, batchId);
}

export async function countsOf(db: Kysely<Tables>, batchId: string): Promise<RowCounts> {
  const counts = await db
    .selectFrom('rows')
    .select((eb) => ['state', eb.fn.countAll<number>().as('count')])
    .where('batch_id', '=', batchId)
    .where('state', '<>', 'planned')
    .groupBy('state')
    .execute();
  const { rows_in_sheet } = await db
    .selectFrom('batches')
    .select('rows_in_sheet')
    .where('batch_id', '=', batchId)
    .executeTakeFirstOrThrow();
  const planned = counts.reduce((left, { count }) => left - count, rows_in_sheet);
  const others = counts.map(({ state, count }) => [state, count] as const);
  return Object.fromEntries(planned > 0 ? [['planned', planned], ...others] : others);
}

export interface RowFilter {
  readonly states?: readonly RowState[];
  readonly classes?: readonly RowClass[];
  /** Only rows whose key begins so. */
  readonly keyPrefix?: string;
  /** Only rows that something keeps from going on. */
  readonly alarmed?: boolean;
  readonly afterPosition?: number;
  readonly limit: number;
}

/** In the order of the sheet. */
export async function listRows(ledger: Ledger, batchId: string, filter: RowFilter): Promise<readonly RowView[]> {
  const { states, classes, keyPrefix, alarmed, afterPosition, limit } = filter;
  return rowViews(ledger.db, (query) => {
    let page = query.where('rows.batch_id', '=', batchId).orderBy('rows.position').limit(limit);
    if (afterPosition !== undefined) page = page.where('rows.position', '>', afterPosition);
    if (alarmed) page = page.where('rows.alarm', 'is not', null);
    if (states) page = page.where('rows.state', 'in', [...states]);
    if (classes) page = page.where('rows.class', 'in', [...classes]);
    if (keyPrefix) page = page.where(sql`substr(rows.row_key, 1, ${keyPrefix.length})`, '=', keyPrefix);
    return page;
  });
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
    .leftJoin('orders', (join) =>
      join
        .onRef('orders.lineage_no', '=', 'rows.lineage_no')
        .onRef('orders.row_key', '=', 'rows.row_key')
        .onRef('orders.attempt', '=', 'rows.attempt'),
    )
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
  return {
    position: row.position,
    row: row.sheet_row,
    rowKey: row.row_key,
    class: row.class,
    classDetail: row.class_of === null ? null : (JSON.parse(row.class_of) as ClassDetail),
    ordered: row.ordered === 1,
    state: row.state,
    brief: JSON.parse(row.brief) as Brief,
    cells: JSON.parse(row.cells) as string[],
    contentDigest: row.content_digest,
    amountMinor: row.amount_minor,
    credits: row.credits,
    runtimeSeconds: row.runtime_seconds,
    estimateProblem: row.estimate_problem,
    slice: row.slice,
    attempt: row.attempt,
    idempotencyKey: row.idempotency_key,
    money: row.money,
    movieId: row.movie_id,
    serviceStatus: row.service_status,
    percent: row.percent,
    stage: row.stage,
    polls: row.polls,
    blocked: blockedOf(row),
    reason: row.reason,
    verdict: row.verdict,
    alarm: row.alarm,
    cancelRequested: row.cancel_ms !== null,
    orderedAtMs: row.ordered_ms,
    deadlineAtMs: row.deadline_ms,
    nextLookAtMs: row.follow_ms,
    finishedAtMs: row.finished_ms,
    endedAtMs: row.ended_ms,
    files,
  };
}

function blockedOf({ blocked_reason: reason, blocked_ms: sinceMs, state }: BaseRow): RowView['blocked'] {
  if (state !== 'blocked' || reason === null || sinceMs === null) return null;
  return { reason: reason as BlockReason, sinceMs }; // written by the admission
}
