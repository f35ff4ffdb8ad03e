import type { Brief } from '../../domain/brief.js';
import { lostAfterMs } from '../../domain/deadlines/lost-after.js';
import { readPolicy } from '../access/policies.js';
import { type BatchRecord, lockBatch } from '../batches/batch-record.js';
import { readRowRecord, readRowRecords } from '../batches/row-record.js';
import { type FileView, unknownRow } from '../batches/rows.js';
import { insertMany } from '../database/insert-many.js';
import { together } from '../database/together.js';
import type { Ledger, Tx } from '../ledger.js';
import { alarmsSince } from './alarm-since.js';
import { moveRows, type RowMove } from './row-transitions.js';

export interface RowOf {
  readonly batchId: string;
  readonly rowKey: string;
}

export interface ArchiveJob {
  readonly movieId: string;
  readonly brief: Brief;
  readonly contentDigest: string;
  /** Within the archive: `<batch>/<row id>`. */
  readonly folder: string;
  readonly attempt: number;
  readonly orderedAtMs: number;
  /** When it was seen finished. */
  readonly finishedAtMs: number;
  /** From then on a movie without a final video is lost. */
  readonly lostAfterMs: number;
}

/** What to save for a finished movie; null when the row is settled already. */
export async function archiveJob(ledger: Ledger, { batchId, rowKey }: RowOf): Promise<ArchiveJob | null> {
  const row = await readRowRecord(ledger.db, { batchId, rowKey });
  if (row.state !== 'archiving' || row.movie_id === null) return null;
  const { policy } = await readPolicy(ledger.db);
  const finishedAtMs = row.finished_ms ?? 0;
  return {
    movieId: row.movie_id,
    brief: JSON.parse(row.brief) as Brief, // written by createBatch
    folder: `${batchId}/${rowKey}`,
    contentDigest: row.content_digest,
    attempt: row.attempt ?? 0,
    orderedAtMs: row.ordered_ms ?? 0,
    finishedAtMs,
    lostAfterMs: lostAfterMs(finishedAtMs, policy),
  };
}

export interface Delivery extends RowOf {
  readonly files: readonly FileView[];
  /** What a check of the files found; possession does not depend on it. */
  readonly verdict: string;
  readonly nowMs: number;
}

// oxlint-disable-next-line typescript/no-invalid-void-type -- an answer without a value
const deliver = together<Delivery, void, BatchRecord>({
  durable: false,
  keyOf: ({ batchId }) => batchId,
  namesOf: ({ rowKey }) => [rowKey],
  lock: lockBatch,
  serve: deliverAll,
});

/** The files are ours, hashed and in their place. Repeating it changes nothing. */
export async function recordDelivered(ledger: Ledger, delivery: Delivery): Promise<void> {
  const { batchId, rowKey, files } = delivery;
  if (files.length === 0) throw new Error(`Cannot deliver ${batchId} ${rowKey}: no file was saved for it`);
  await deliver(ledger, delivery);
}

async function deliverAll(
  tx: Tx,
  deliveries: readonly Delivery[],
  { locked: batch }: { readonly locked: BatchRecord },
): Promise<readonly undefined[]> {
  const { batch_id: batchId } = batch;
  const rows = await readRowRecords(
    tx,
    batchId,
    deliveries.map(({ rowKey }) => rowKey),
  );
  const due = deliveries.flatMap((delivery) => {
    const row = rows.get(delivery.rowKey);
    if (!row) throw unknownRow(batchId, delivery.rowKey);
    return row.state === 'archiving' ? [{ row, delivery }] : [];
  });
  const files = due.flatMap(({ delivery }) => delivery.files.map((file) => ({ ...file, rowKey: delivery.rowKey })));
  await insertMany(tx, 'files', {
    rows: files,
    columns: [
      ['batch_id', 'text', () => batchId],
      ['row_key', 'text', ({ rowKey }) => rowKey],
      ['asset_id', 'text', ({ assetId }) => assetId],
      ['type', 'text', ({ type }) => type],
      ['path', 'text', ({ path }) => path],
      ['size_bytes', 'int', ({ sizeBytes }) => sizeBytes],
      ['sha256', 'text', ({ sha256 }) => sha256],
    ],
  });
  const moves = due.map(({ row, delivery: { verdict, nowMs } }): RowMove => {
    return { row, to: 'delivered', set: { verdict, alarm: null, reason: null, ended_ms: nowMs } };
  });
  await moveRows(tx, batch, { moves, nowMs: Math.max(...deliveries.map(({ nowMs }) => nowMs)) });
  return deliveries.map(() => undefined);
}

/** Paid and finished, and the service does not give the files. */
export async function recordLost(
  ledger: Ledger,
  { batchId, rowKey, reason, nowMs }: RowOf & { readonly reason: string; readonly nowMs: number },
): Promise<void> {
  await ledger.write(async (tx) => {
    const batch = await lockBatch(tx, batchId);
    const row = await readRowRecord(tx, { batchId, rowKey });
    if (row.state !== 'archiving') return;
    await moveRows(tx, batch, { moves: [{ row, to: 'lost', set: { reason } }], nowMs });
  });
}

/** Our own trouble, or the service's for now: the row stays where it is and is tried again. */
export async function recordArchiveAlarm(
  ledger: Ledger,
  { batchId, rowKey, message, nowMs }: RowOf & { readonly message: string; readonly nowMs: number },
): Promise<void> {
  await ledger.write(async (tx) => {
    const since = await alarmsSince(tx, { batchId, alarms: [{ rowKey, alarm: message }], nowMs });
    await tx
      .updateTable('rows')
      .set({ alarm: message, alarm_ms: since.get(rowKey) ?? nowMs })
      .where('batch_id', '=', batchId)
      .where('row_key', '=', rowKey)
      .where('state', '=', 'archiving')
      .execute();
  });
}
