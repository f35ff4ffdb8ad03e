import type { Actor } from '../../domain/roles.js';
import { assertMay, assertSeesBatch } from '../../ledger/access/sight.js';
import * as archived from '../../ledger/archived/archived-batches.js';
import type { BatchLine } from '../../ledger/archived/batch-lines.js';
import { LedgerError } from '../../ledger/ledger.js';
import type { OperationDeps } from '../deps.js';

export type { ArchivedBatch } from '../../ledger/archived/archived-batches.js';

interface Keeping {
  readonly actor: Actor;
  readonly files: archived.LedgerFiles;
}

/** Batches that `archiveBatches` would move, oldest first. @throws LedgerError `not_allowed` */
export async function batchesToArchive(
  { ledger, clock }: Pick<OperationDeps, 'ledger' | 'clock'>,
  { actor, beforeMs }: { readonly actor: Actor; readonly beforeMs: number },
): Promise<readonly string[]> {
  await assertMay(ledger.db, actor, { act: 'archive', words: 'archive batches' });
  return archived.batchesToArchive(ledger, { beforeMs, nowMs: clock() });
}

/**
 * Moves batches that ended before a moment into files of the archive, one after the other: if this ends early, what is
 * done stays done, and the next run continues.
 *
 * @throws LedgerError `not_allowed`; StorageError of the files.
 */
export async function* archiveBatches(
  deps: Pick<OperationDeps, 'ledger' | 'clock'>,
  { beforeMs, ...keeping }: Keeping & { readonly beforeMs: number },
): AsyncGenerator<archived.ArchivedBatch, void, undefined> {
  for (const batchId of await batchesToArchive(deps, { beforeMs, actor: keeping.actor })) {
    yield await archived.archiveBatch(deps.ledger, { ...keeping, batchId, nowMs: deps.clock() });
  }
}

/** Brings an archived batch back. @throws LedgerError `not_allowed`, `wrong_state`, `corrupt_books` */
export function restoreBatch(
  { ledger, clock }: Pick<OperationDeps, 'ledger' | 'clock'>,
  { batchId, ...keeping }: Keeping & { readonly batchId: string },
): Promise<archived.ArchivedBatch> {
  return archived.restoreBatch(ledger, { ...keeping, batchId, nowMs: clock() });
}

/**
 * Lists the delivered files of an archived batch, as its file has them; null for a batch that is not archived.
 *
 * @throws LedgerError `corrupt_books`, also during reading, when that file is not the one that was written.
 */
export async function archivedFilesOf(
  { ledger }: Pick<OperationDeps, 'ledger'>,
  { batchId, actor, files }: { readonly batchId: string; readonly actor: Actor } & Pick<Keeping, 'files'>,
): Promise<AsyncIterable<{ readonly path: string; readonly sha256: string }> | null> {
  await assertSeesBatch(ledger.db, actor, batchId);
  const batch = await archived.archivedAmong(ledger.db, batchId);
  return batch && listedFiles(batch, files);
}

async function* listedFiles(
  { batch_id: batchId, path, sha256 }: archived.ArchivedBatch,
  files: archived.LedgerFiles,
): AsyncGenerator<{ readonly path: string; readonly sha256: string }, void, undefined> {
  const wrong = (what: string) => new LedgerError('corrupt_books', `Cannot verify ${batchId}: ${path} ${what}`);
  const file = await files.read(path);
  if (!file) throw wrong('is not in the archive');
  for await (const text of file.lines) {
    const line = JSON.parse(text) as BatchLine; // by archiveBatch; another file has another hash
    if (line.table === 'files') yield { path: line.path, sha256: line.sha256 };
  }
  if (file.sha256() !== sha256) throw wrong('is not the file that was written');
}
