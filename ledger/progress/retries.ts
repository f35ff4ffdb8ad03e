import type { Actor } from '../../domain/roles.js';
import { includable, retryable } from '../../domain/row-class.js';
import { appendAudit } from '../access/audit.js';
import { auditedAct } from '../access/audited-act.js';
import { archivedAmong } from '../archived/archived-batches.js';
import { inArchivedFile } from '../archived/archived-error.js';
import type { BatchRecord } from '../batches/batch-record.js';
import { lockCampaignAndBatch, readBatchRecord, settingsOf } from '../batches/batch-record.js';
import type { RowRecord } from '../batches/row-record.js';
import { assertRowsExist } from '../batches/rows-exist.js';
import { briefOf } from '../batches/rows.js';
import { isOpen, pastPlanned } from '../database/partial-indexes.js';
import { type Ledger, LedgerError, type Tx } from '../ledger.js';
import { orderedLater } from '../movie-reviews/ordered-later.js';
import { afterStoring, type NewRow, storeBatch } from '../plan/create-batch.js';
import { moveRows } from './row-transitions.js';

export interface RetryRequest {
  readonly batchId: string;
  /** `all`: every row that failed, was canceled or is lost; `redo`: every delivered one that a review wants again. */
  readonly rowKeys: readonly string[] | 'all' | 'redo';
  readonly actor: Actor;
  readonly nowMs: number;
}

export interface RefetchRequest extends Omit<RetryRequest, 'rowKeys'> {
  /** `all`: every lost row. */
  readonly rowKeys: readonly string[] | 'all';
}

/**
 * Stores the named rows, with the content that they had, as the campaign's next batch. Nothing is ordered: it goes
 * through a plan and a decision of its own, and whoever retries is its submitter.
 *
 * @throws LedgerError for rows that did not fail, were not canceled, are not lost and no review wants again: an unknown
 * row has to be resolved, and a rejected one needs another content.
 */
export async function retryRows(ledger: Ledger, request: RetryRequest): Promise<{ readonly batchId: string }> {
  const { batchId, rowKeys, actor, nowMs } = request;
  const stored = await auditedAct(ledger, { actor, act: 'retry', object: batchId, nowMs }, async (tx) => {
    const batch = await readBatchRecord(tx, batchId);
    const rows = await rowsToRetry(tx, batch, rowKeys);
    const { campaign, name, base_url, rehearsal } = await tx
      .selectFrom('lineages')
      .innerJoin('services', 'services.service_no', 'lineages.service_no')
      .select(['campaign', 'name', 'base_url', 'rehearsal'])
      .where('lineage_no', '=', batch.lineage_no)
      .executeTakeFirstOrThrow();
    const columns = JSON.parse(batch.manifest_columns) as string[]; // written by createBatch
    return storeBatch(tx, {
      ...{ service: { name, baseUrl: base_url, rehearsal: rehearsal === 1 }, campaign, actor, nowMs },
      settings: { ...settingsOf(batch), maxInFlight: batch.max_in_flight, include: [...includable], canary: null },
      manifest: { name: batch.manifest_name, columns },
      rows: () => pageOf(rows.map(asNewRow)),
    });
  });
  await afterStoring(ledger, stored);
  return { batchId: stored.batchId };
}

async function* pageOf(rows: readonly NewRow[]): AsyncGenerator<readonly NewRow[]> {
  yield rows;
}

function asNewRow(row: RowRecord): NewRow {
  const brief = briefOf(row);
  // Written by createBatch, as is the brief.
  return { brief, contentDigest: row.content_digest, cells: JSON.parse(row.cells) as string[], row: row.sheet_row };
}

async function rowsToRetry(
  tx: Tx,
  { batch_id: batchId }: BatchRecord,
  rowKeys: RetryRequest['rowKeys'],
): Promise<readonly RowRecord[]> {
  const named = typeof rowKeys === 'string' ? null : rowKeys;
  if (named) await assertRowsExist(tx, batchId, named);
  const wanted = await rowsToRedo(tx, batchId);
  const rows = await tx
    .selectFrom('rows')
    .selectAll()
    .where('batch_id', '=', batchId)
    .$if(rowKeys === 'all', (query) => query.where('state', 'in', [...retryable]).where(pastPlanned))
    .$if(rowKeys === 'redo', (query) => query.where('state', '=', 'delivered').where(pastPlanned))
    .$if(named !== null, (query) => query.where('row_key', 'in', [...(named ?? [])]))
    .orderBy('position')
    .execute();
  const chosen = rowKeys === 'redo' ? rows.filter(({ row_key }) => wanted.has(row_key)) : rows;
  const other = chosen.find((row) => !(retryable as readonly string[]).includes(row.state) && !wanted.has(row.row_key));
  if (other) throw cannotRetry(other);
  if (chosen.length > 0) return chosen;
  const none = rowKeys === 'redo' ? 'marked redo and not ordered again already' : 'failed, canceled or lost';
  throw new LedgerError('wrong_state', `Cannot retry ${batchId}: none of its rows is ${none}`);
}

/** Delivered rows that a review wants again, but for those that were ordered again since: a mark orders once. */
async function rowsToRedo(tx: Tx, batchId: string): Promise<ReadonlySet<string>> {
  const marked = await tx
    .selectFrom('reviews')
    .innerJoin('rows', (join) =>
      join.onRef('rows.batch_id', '=', 'reviews.batch_id').onRef('rows.row_key', '=', 'reviews.row_key'),
    )
    .select('reviews.row_key')
    .where('reviews.batch_id', '=', batchId)
    .where('reviews.verdict', '=', 'redo')
    .where('rows.state', '=', 'delivered')
    .where((eb) => eb.not(orderedLater(eb)))
    .execute();
  return new Set(marked.map(({ row_key }) => row_key));
}

function cannotRetry({ batch_id: batchId, row_key: rowKey, state }: RowRecord): LedgerError {
  const hint =
    state === 'unknown' || state === 'overdue'
      ? `; resolve it first with "greenlight unknown resolve ${batchId} ${rowKey}"`
      : state === 'delivered'
        ? '; it is ordered again once a review marks it redo, and once for each such mark'
        : '';
  const what = state.replaceAll('_', ' ');
  return new LedgerError(
    'wrong_state',
    `Cannot retry ${batchId} ${rowKey}: it is ${what}, not failed, canceled or lost${hint}`,
  );
}

/**
 * Asks again for the files of lost movies, which costs nothing: the rows are saved as if they had just finished. The
 * batch is in the making again until that is over.
 *
 * @returns how many rows are asked for; 0 when all are meant and none is lost.
 * @throws LedgerError for a named row that the batch does not have, or that is not lost.
 */
export async function refetchRows(ledger: Ledger, request: RefetchRequest): Promise<{ readonly rows: number }> {
  const { batchId, rowKeys, actor, nowMs } = request;
  return auditedAct(ledger, { actor, act: 'refetch', object: batchId, nowMs }, async (tx) => {
    const batch = await lockCampaignAndBatch(tx, batchId);
    if (rowKeys !== 'all') await assertRowsExist(tx, batchId, rowKeys);
    if (await archivedAmong(tx, batchId)) throw inArchivedFile(batchId);
    const rows = await tx
      .selectFrom('rows')
      .selectAll()
      .where('batch_id', '=', batchId)
      .$if(rowKeys === 'all', (query) => query.where('state', '=', 'lost').where(pastPlanned))
      .$if(rowKeys !== 'all', (query) => query.where('row_key', 'in', [...rowKeys]))
      .execute();
    const other = rows.find(({ state }) => state !== 'lost');
    if (other) {
      const state = other.state.replaceAll('_', ' ');
      throw new LedgerError('wrong_state', `Cannot refetch ${batchId} ${other.row_key}: it is ${state}, not lost`);
    }
    const elsewhere = await openElsewhere(tx, rows);
    if (elsewhere) {
      throw new LedgerError(
        'wrong_state',
        `Cannot refetch ${batchId} ${elsewhere.row_key}: it is being made again in ${elsewhere.batch_id}`,
      );
    }
    const set = { open: 1, ended_ms: null, finished_ms: nowMs, reason: null, alarm: null };
    await moveRows(tx, batch, { moves: rows.map((row) => ({ row, to: 'archiving', set })), nowMs });
    if (rows.length > 0) {
      const keys = rows.map(({ row_key }) => row_key);
      await appendAudit(tx, { atMs: nowMs, actor, act: 'refetch', object: batchId, detail: { keys } });
    }
    return { rows: rows.length };
  });
}

async function openElsewhere(
  tx: Tx,
  rows: readonly RowRecord[],
): Promise<{ readonly row_key: string; readonly batch_id: string } | undefined> {
  const [first] = rows;
  if (!first) return undefined;
  return tx
    .selectFrom('rows')
    .select(['row_key', 'batch_id'])
    .where('lineage_no', '=', first.lineage_no)
    .where(isOpen())
    .where(
      'row_key',
      'in',
      rows.map(({ row_key }) => row_key),
    )
    .executeTakeFirst();
}
