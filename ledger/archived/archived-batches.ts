import type { Kysely, Selectable } from 'kysely';
import type { Actor } from '../../domain/roles.js';
import { appendAudit } from '../access/audit.js';
import { auditedAct } from '../access/audited-act.js';
import { lockBatch, readBatchRecord } from '../batches/batch-record.js';
import { atOneMoment } from '../database/snapshot.js';
import type { ArchivedBatchesTable, Tables } from '../database/tables.js';
import { type Ledger, LedgerError, type Tx } from '../ledger.js';
import { type BatchLine, linesOfBatch, type TableOfLine } from './batch-lines.js';

export type ArchivedBatch = Selectable<ArchivedBatchesTable>;

/** Where the files of archived batches are: beside the movies. */
export interface LedgerFiles {
  /** Puts the lines into a file under a name made of the batch and their hash; one that is there already is as good. */
  write(batchId: string, lines: AsyncIterable<string>): Promise<WrittenFile>;
  /**
   * The lines of a file; null where it is not there.
   *
   * @throws Error, while it is read, where it is damaged.
   */
  read(path: string): Promise<ReadFile | null>;
  /** SHA-256 of a file's bytes as they are, whatever is in them; null where it is not there. */
  hash(path: string): Promise<string | null>;
}

export interface WrittenFile {
  readonly path: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

export interface ReadFile {
  readonly lines: AsyncIterable<string>;
  /** Of all its bytes, once every line was read. */
  sha256(): string;
}

/** Of the archived batches among these. */
export async function archivedAmong(db: Kysely<Tables>, batchId: string): Promise<ArchivedBatch | null> {
  const found = await db.selectFrom('archived_batches').selectAll().where('batch_id', '=', batchId).executeTakeFirst();
  return found ?? null;
}

/**
 * Batches that are over since before a moment and may be archived, the oldest first: their reports are written, and no
 * link shows their gallery.
 */
export async function batchesToArchive(
  { db }: Pick<Ledger, 'db'>,
  { beforeMs, nowMs }: { readonly beforeMs: number; readonly nowMs: number },
): Promise<readonly string[]> {
  const batches = await db
    .selectFrom('batches')
    .select('batch_id')
    .where('state', 'in', ['closed', 'canceled'])
    .where('settled_ms', '<', beforeMs)
    .whereRef('reported_revision', '=', 'revision')
    .where('batch_id', 'not in', (eb) => eb.selectFrom('archived_batches').select('batch_id'))
    .where('batch_id', 'not in', (eb) =>
      eb.selectFrom('share_links').select('batch_id').where('revoked_ms', 'is', null).where('until_ms', '>', nowMs),
    )
    .orderBy('settled_ms')
    .orderBy('batch_id')
    .execute();
  return batches.map(({ batch_id }) => batch_id);
}

export interface Housekeeping {
  readonly batchId: string;
  readonly files: LedgerFiles;
  readonly actor: Actor;
  readonly nowMs: number;
}

/**
 * Moves what `BatchLine` names of a batch into a file. The file is there before anything leaves the ledger, which one
 * transaction does: ended before it, nothing is missing and the next run finds the file; after it, both say so.
 *
 * @throws LedgerError `not_allowed`, or `wrong_state` where the batch changed meanwhile.
 */
export async function archiveBatch(
  ledger: Ledger,
  { batchId, files, actor, nowMs }: Housekeeping,
): Promise<ArchivedBatch> {
  const { revision, lineage_no: lineageNo } = await readBatchRecord(ledger.db, batchId);
  const counts = { rows: 0, orders: 0, sends: 0, files: 0 };
  let lastSend = 0;
  async function* text(db: Kysely<Tables>): AsyncGenerator<string, void, undefined> {
    Object.assign(counts, { rows: 0, orders: 0, sends: 0, files: 0 });
    for await (const line of linesOfBatch(db, { batchId, lineageNo })) {
      counts[line.table] += 1;
      if (line.table === 'sends') lastSend = Math.max(lastSend, line.send_id);
      yield JSON.stringify(line);
    }
  }
  const { path, sha256, sizeBytes } = await atOneMoment(ledger, (db) => files.write(batchId, text(db)));
  const archived = {
    batch_id: batchId,
    path,
    sha256,
    size_bytes: sizeBytes,
    ...counts,
    last_send: lastSend,
    at_ms: nowMs,
  };
  await auditedAct(ledger, { actor, act: 'archive', object: batchId, nowMs }, async (tx) => {
    const batch = await lockBatch(tx, batchId);
    const isSame = batch.revision === revision + 1 && (batch.state === 'closed' || batch.state === 'canceled');
    if (!isSame || (await archivedAmong(tx, batchId)) !== null) {
      throw new LedgerError('wrong_state', `Cannot archive ${batchId}: it changed meanwhile; run it again`);
    }
    await removeLines(tx, archived, lineageNo);
    await tx.insertInto('archived_batches').values(archived).execute();
    const { batch_id: _, at_ms: __, ...detail } = archived;
    await appendAudit(tx, { atMs: nowMs, actor, act: 'archive_batch', object: batchId, detail });
  });
  return archived;
}

async function removeLines(tx: Tx, { batch_id: batchId, ...counts }: ArchivedBatch, lineageNo: number): Promise<void> {
  const removed: Record<TableOfLine, bigint> = {
    rows: (
      await tx.updateTable('rows').set({ brief: '', cells: '' }).where('batch_id', '=', batchId).executeTakeFirst()
    ).numUpdatedRows,
    orders: (
      await tx.updateTable('orders').set({ request_body: '' }).where('batch_id', '=', batchId).executeTakeFirst()
    ).numUpdatedRows,
    sends: (
      await tx
        .deleteFrom('sends')
        .where('lineage_no', '=', lineageNo)
        .where('batch_id', '=', batchId)
        .executeTakeFirst()
    ).numDeletedRows,
    files: (await tx.deleteFrom('files').where('batch_id', '=', batchId).executeTakeFirst()).numDeletedRows,
  };
  for (const table of ['rows', 'orders', 'sends', 'files'] as const) {
    if (Number(removed[table]) === counts[table]) continue;
    const words = `its file has ${counts[table]} lines of ${table}, the ledger ${removed[table]}; run it again`;
    throw new LedgerError('wrong_state', `Cannot archive ${batchId}: ${words}`);
  }
}

/**
 * Brings an archived batch back into the ledger, as it was. Its file stays where it is.
 *
 * @throws LedgerError `not_allowed`, `wrong_state` where it is not archived, `corrupt_books` where its file is not there
 * or is not the one that was written.
 */
export async function restoreBatch(
  ledger: Ledger,
  { batchId, files, actor, nowMs }: Housekeeping,
): Promise<ArchivedBatch> {
  return auditedAct(
    ledger,
    { actor, act: 'archive', object: batchId, words: `restore ${batchId}`, nowMs },
    async (tx) => {
      const batch = await lockBatch(tx, batchId);
      const archived = await archivedAmong(tx, batchId);
      if (!archived) throw new LedgerError('wrong_state', `Cannot restore ${batchId}: it is not archived`);
      const wrong = (what: string) =>
        new LedgerError('corrupt_books', `Cannot restore ${batchId}: ${archived.path} of the archive ${what}`);
      // Compared before it is unpacked: what fails after that is not the file's fault, and says so itself.
      const sha256 = await files.hash(archived.path);
      if (sha256 !== null && sha256 !== archived.sha256) throw wrong('is not the one that was written');
      const file = await files.read(archived.path);
      if (!file) throw wrong('is not there');
      await putBack(tx, file.lines, { batchId, lineageNo: batch.lineage_no });
      if (file.sha256() !== archived.sha256) throw wrong('was changed while it was read');
      await tx.deleteFrom('archived_batches').where('batch_id', '=', batchId).execute();
      const detail = { path: archived.path, sha256: archived.sha256 };
      await appendAudit(tx, { atMs: nowMs, actor, act: 'restore_batch', object: batchId, detail });
      return archived;
    },
  );
}

/** Of lines that are inserted together. */
const linesAtOnce = 500;

async function putBack(
  tx: Tx,
  lines: AsyncIterable<string>,
  { batchId, lineageNo }: { readonly batchId: string; readonly lineageNo: number },
): Promise<void> {
  let page: Extract<BatchLine, { table: 'sends' | 'files' }>[] = [];
  const flush = async () => {
    const sends = page.flatMap(({ table, ...line }) => (table === 'sends' && 'send_id' in line ? [line] : []));
    const files = page.flatMap(({ table, ...line }) => (table === 'files' && 'asset_id' in line ? [line] : []));
    if (sends.length > 0) await tx.insertInto('sends').values(sends).execute();
    if (files.length > 0) await tx.insertInto('files').values(files).execute();
    page = [];
  };
  for await (const text of lines) {
    const line = JSON.parse(text) as BatchLine; // by archiveBatch; another file has another hash
    if (line.table === 'rows') {
      const { brief, cells } = line;
      const rows = tx.updateTable('rows').set({ brief, cells }).where('batch_id', '=', batchId);
      await rows.where('position', '=', line.position).execute();
    } else if (line.table === 'orders') {
      const orders = tx.updateTable('orders').set({ request_body: line.request_body });
      await orders
        .where('lineage_no', '=', lineageNo)
        .where('row_key', '=', line.row_key)
        .where('attempt', '=', line.attempt)
        .execute();
    } else page.push(line);
    if (page.length === linesAtOnce) await flush();
  }
  await flush();
}
