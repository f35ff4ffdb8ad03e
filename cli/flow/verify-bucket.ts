import { tmpdir } from 'node:os';
import { posix } from 'node:path';
import type { ArchiveStore } from '../../archive/archive-store.js';
import { isRecordName, parseRecord, recordName } from '../../archive/movie-record.js';
import { readText } from '../../archive/read-text.js';
import { type VerifiedFile, verifyFiles } from '../../archive/verify.js';
import { certificateName, listedFiles } from '../../reports/certificate-files.js';

/**
 * Checks what lies below an address of a bucket, as `verifyDelivered` does a folder: every file that a record or a
 * certificate names. Needs no ledger; the bucket is found as AWS's own tools find it.
 *
 * @param url `s3://bucket`, `s3://bucket/prefix` of an archive, or of one of its batches
 * @throws RangeError for another address; StorageError where the bucket cannot be read.
 */
export async function* verifyBucket(url: string): AsyncGenerator<VerifiedFile> {
  const { createS3Store } = await import('../../archive/s3/s3-store.js'); // most archives are folders
  const [, bucket = url, folder = ''] = /^(s3:\/\/.+)\/([^/]+)\/?$/.exec(url) ?? [];
  const store = createS3Store({ url: bucket, stagingFolder: tmpdir() });
  try {
    yield* verifyPaths(store, folder === '' ? await allPaths(store) : await store.list(folder));
  } finally {
    store.close();
  }
}

async function allPaths(store: ArchiveStore): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const folder of await store.folders()) paths.push(...(await store.list(folder)));
  return paths;
}

async function* verifyPaths(store: ArchiveStore, paths: readonly string[]): AsyncGenerator<VerifiedFile> {
  const listed = new Map<string, string>();
  const withoutRecord = new Set<string>();
  for (const path of paths.filter((one) => posix.basename(one) === certificateName)) {
    const files = listedFiles((await readText(store, path)) ?? '');
    if (files === null) yield { path, expected: 'a readable record', actual: null };
    for (const file of files ?? []) {
      if (file.sha256 === null) continue;
      listed.set(posix.join(posix.dirname(path), file.path), file.sha256);
      withoutRecord.add(posix.dirname(posix.join(posix.dirname(path), file.path)));
    }
  }
  for (const path of paths.filter((one) => isRecordName(posix.basename(one)))) {
    const record = parseRecord((await readText(store, path)) ?? '');
    if (record === null) yield { path, expected: 'a readable record', actual: null };
    withoutRecord.delete(posix.dirname(path));
    for (const file of record?.files ?? []) {
      const of = posix.join(posix.dirname(path), file.path);
      if (!listed.has(of)) listed.set(of, file.sha256);
    }
  }
  const files = [...listed].map(([path, sha256]) => ({ path, sha256 }));
  yield* verifyFiles(store, files);
  for (const row of withoutRecord) yield { path: `${row}/${recordName(1)}`, expected: 'the file', actual: null };
}
