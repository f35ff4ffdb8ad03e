import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errnoOf, onDisk } from '../../archive/errors.js';
import { recordName } from '../../archive/movie-record.js';
import { hashOrNull, type VerifiedFile, verifyFolder } from '../../archive/verify.js';
import { checksumsName, listedChecksums } from '../../reports/bundle/checksums-file.js';
import { certificateName, type ListedFile, listedFiles } from '../../reports/certificate-files.js';

/**
 * Checks a folder of movies against what its batches delivered: every file that a record or a certificate below it
 * names, so that a film, a record or a certificate that is gone is named as well; and a bundle against its checksums.
 * Needs no ledger; the folder may have been moved or renamed.
 *
 * @returns one entry per file, with its path from the folder; `actual` is null for a file that is missing.
 * @throws StorageError when the folder cannot be read.
 */
export async function* verifyDelivered(folder: string): AsyncGenerator<VerifiedFile> {
  const sums = await ifThere(join(folder, checksumsName), (path) => readFile(path, 'utf8'));
  if (sums !== null) return yield* verifyBundle(folder, sums);
  const listed = new Map<string, ListedFile>();
  for await (const file of filesListedBelow(folder)) listed.set(file.path, file);
  const records = new Set<string>();
  for await (const file of verifyFolder(folder)) {
    records.add(dirname(file.path));
    const sha256 = listed.get(file.path)?.sha256 ?? file.expected;
    listed.delete(file.path);
    yield { ...file, expected: sha256 };
  }
  const withoutRecord = new Set<string>();
  for (const { path, sha256 } of listed.values()) {
    const actual = await hashOrNull(join(folder, path));
    if (sha256 !== null) yield { path, expected: sha256, actual };
    else yield { path, expected: actual === null ? 'the file' : 'a readable record', actual: null };
    if (sha256 !== null && !records.has(dirname(path))) withoutRecord.add(dirname(path));
  }
  for (const row of withoutRecord) yield { path: `${row}/${recordName(1)}`, expected: 'the file', actual: null };
}

/** A bundle brings the checksums of its files, and no records. */
async function* verifyBundle(folder: string, sums: string): AsyncGenerator<VerifiedFile> {
  const listed = listedChecksums(sums);
  if (listed === null) yield { path: checksumsName, expected: 'a readable record', actual: null };
  for (const { path, sha256 } of listed ?? []) {
    yield { path, expected: sha256, actual: await hashOrNull(join(folder, path)) };
  }
}

/** The certificates of the folder itself and of the folders right below it: one batch, or an archive of many. */
async function* filesListedBelow(folder: string): AsyncGenerator<ListedFile> {
  yield* listedIn(folder, '');
  for (const entry of await onDisk(`read "${folder}"`, () => readdir(folder, { withFileTypes: true }))) {
    if (entry.isDirectory() && !entry.name.startsWith('.')) yield* listedIn(folder, `${entry.name}/`);
  }
}

async function* listedIn(folder: string, below: string): AsyncGenerator<ListedFile> {
  const text = await ifThere(join(folder, below, certificateName), (path) => readFile(path, 'utf8'));
  if (text !== null) {
    const files = listedFiles(text);
    if (files === null) yield { path: below + certificateName, sha256: null };
    else for (const file of files) yield { ...file, path: below + file.path };
    return;
  }
  // The certificate is written last, so results without one are those of a batch under way, or one that lost it.
  const results = await ifThere(join(folder, below, 'results.jsonl'), stat);
  if (results !== null) yield { path: below + certificateName, sha256: null };
}

function ifThere<Found>(path: string, look: (path: string) => Promise<Found>): Promise<Found | null> {
  return onDisk(`read "${path}"`, async () => {
    try {
      return await look(path);
    } catch (error) {
      if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return null;
      throw error;
    }
  });
}
