import type { Kysely } from 'kysely';
import type { ArchivedBatch, LedgerFiles } from '../archived/archived-batches.js';
import type { BatchLine } from '../archived/batch-lines.js';
import type { Tables } from '../database/tables.js';
import { eventsOf, newestByObject, type RecordedEvent } from './audit-events.js';
import { type BookFault, batchFault, differences, type Stored } from './ledger-fault.js';
import type { CertifiedBatch } from './outside-check.js';
import { digestOf } from './plan-check.js';

export interface ArchivedProofs {
  /** Null where the archive is not here. */
  readonly files: Pick<LedgerFiles, 'read'> | null;
  readonly certificates: readonly CertifiedBatch[];
}

/** Compares archived batches with the audit, and reads in their files what the other checks read in the ledger. */
export async function checkArchived(
  db: Kysely<Tables>,
  { files, certificates }: ArchivedProofs,
): Promise<readonly BookFault[]> {
  const stored = await db.selectFrom('archived_batches').selectAll().orderBy('batch_id').execute();
  const newest = newestByObject(await eventsOf(db, ['archive_batch', 'restore_batch']));
  const ids = new Set(stored.map(({ batch_id }) => batch_id));
  const faults: BookFault[] = [...newest.values()]
    .filter(({ act, object }) => act === 'archive_batch' && !ids.has(object))
    .map(({ object }) => batchFault('archived_missing', object, 'the audit says that it was archived'));
  for (const batch of stored) {
    faults.push(...recordFaults(batch, newest.get(batch.batch_id)));
    const certificate = certificates.find(({ batchId }) => batchId === batch.batch_id);
    if (files) faults.push(...(await fileFaults(db, { batch, files, certificate })));
  }
  return faults;
}

function recordFaults(batch: ArchivedBatch, event: RecordedEvent | undefined): readonly BookFault[] {
  const { batch_id: batchId, at_ms: atMs, ...columns } = batch;
  if (event?.act !== 'archive_batch')
    return [batchFault('archived_without_record', batchId, 'the audit has no archive_batch')];
  const pairs: readonly Stored[] = [
    ['at', atMs, event.at_ms],
    ...Object.entries(columns).map(([name, value]) => [name, value, event.detail[name]] as const),
  ];
  return differences(pairs).map((detail) => batchFault('archived_changed', batchId, detail));
}

interface FileOf {
  readonly batch: ArchivedBatch;
  readonly files: Pick<LedgerFiles, 'read'>;
  readonly certificate: CertifiedBatch | undefined;
}

async function fileFaults(db: Kysely<Tables>, { batch, files, certificate }: FileOf): Promise<readonly BookFault[]> {
  const { batch_id: batchId, path, sha256 } = batch;
  const fault = (detail: string) => [batchFault('archived_file', batchId, `${path} ${detail}`)];
  const file = await files.read(path);
  if (!file) return fault('is not in the archive');
  const seen = await readLines(file.lines).catch(() => null);
  if (!seen) return fault('cannot be read');
  if (file.sha256() !== sha256) return fault('is not the file that was written');
  return [...(await againstLedger(db, batchId, seen)), ...againstCertificate(batchId, seen, certificate)];
}

interface Seen {
  /** Digests of briefs, by row. */
  readonly digests: Map<string, string | null>;
  /** Row and attempt of each send. */
  readonly sent: Set<string>;
  /** Hashes by path, and the rows that have any. */
  readonly hashes: Map<string, string>;
  readonly withFiles: Set<string>;
}

const orderName = ({ row_key, attempt }: { readonly row_key: string; readonly attempt: number | null }) =>
  JSON.stringify([row_key, attempt]);

async function readLines(lines: AsyncIterable<string>): Promise<Seen> {
  const seen: Seen = { digests: new Map(), sent: new Set(), hashes: new Map(), withFiles: new Set() };
  for await (const text of lines) {
    const line = JSON.parse(text) as BatchLine; // by archiveBatch; another file has another hash
    if (line.table === 'rows') seen.digests.set(line.row_key, digestOf(line.brief, line.row_key));
    if (line.table === 'sends') seen.sent.add(orderName(line));
    if (line.table === 'files') {
      seen.hashes.set(line.path, line.sha256);
      seen.withFiles.add(line.row_key);
    }
  }
  return seen;
}

async function againstLedger(db: Kysely<Tables>, batchId: string, seen: Seen): Promise<readonly BookFault[]> {
  const rows = await db
    .selectFrom('rows')
    .select(['row_key', 'content_digest', 'state'])
    .where('batch_id', '=', batchId)
    .orderBy('position')
    .execute();
  const orders = await db.selectFrom('orders').select(['row_key', 'attempt']).where('batch_id', '=', batchId).execute();
  return [
    ...rows
      .filter(({ row_key, content_digest }) => seen.digests.get(row_key) !== content_digest)
      .map(({ row_key }) =>
        batchFault('brief_changed', batchId, 'its brief is not the one whose digest was planned', row_key),
      ),
    ...rows
      .filter(({ row_key, state }) => state === 'delivered' && !seen.withFiles.has(row_key))
      .map(({ row_key }) => batchFault('delivered_without_files', batchId, 'it has no file', row_key)),
    ...orders
      .filter((order) => !seen.sent.has(orderName(order)))
      .map(({ row_key, attempt }) =>
        batchFault('order_without_send', batchId, `attempt ${attempt} was never sent by the books`, row_key),
      ),
  ];
}

function againstCertificate(
  batchId: string,
  { hashes }: Seen,
  certificate: CertifiedBatch | undefined,
): readonly BookFault[] {
  return (certificate?.movies ?? []).flatMap(({ rowKey, files }) =>
    files
      .filter(({ path, sha256 }) => hashes.get(path) !== sha256)
      .map(({ path }) => batchFault('file_changed', batchId, `${path} has another hash than was certified`, rowKey)),
  );
}
