import { createHash } from 'node:crypto';
import { open, readFile, rm, writeFile } from 'node:fs/promises';
import type { CompletedPart } from '@aws-sdk/client-s3';
import pLimit, { type LimitFunction } from 'p-limit';
import { z } from 'zod';
import type { Content, Published } from '../archive-store.js';
import { StorageError } from '../errors.js';
import { base64, headersOf, onceNamed, whatIsThere } from './put-once.js';
import type { S3Connection } from './s3-connection.js';
import { isNoUpload, statusOf } from './s3-errors.js';

export interface UploadSizes {
  /** Objects up to this size go in one request. */
  readonly onePutBytes: number;
  /** S3 takes 10,000 parts of at least 5 MiB. */
  readonly partBytes: number;
}

export const defaultSizes: UploadSizes = { onePutBytes: 64 * 1024 * 1024, partBytes: 16 * 1024 * 1024 };

/** Parts in memory at once, over all movies of a store. */
export const partLimit = (): LimitFunction => pLimit(4);

/** Kept in the staging folder: which upload holds which content. */
const StoredUpload = z.object({ upload_id: z.string(), sha256: z.string() });

export interface LargeFile {
  readonly key: string;
  readonly localFile: string;
  readonly content: Content;
  /** Where the upload is recorded, so that the next attempt on this machine resumes it. */
  readonly stateFile: string;
  readonly partBytes: number;
  readonly limit: LimitFunction;
}

/**
 * Puts a large object unless its name is taken. Nobody sees it before the last step, which names the parts by their
 * hashes and is refused if the name is taken by then. This machine resumes an upload that was cut off; any other
 * machine ends it and begins anew.
 */
export async function uploadInParts(connection: S3Connection, file: LargeFile): Promise<Published> {
  const there = await whatIsThere(connection, file.key, file.content);
  if (there) {
    await end(connection, file, null);
    return there;
  }
  const upload = await openUpload(connection, file);
  try {
    const parts = await sendParts(connection, file, upload);
    const published = await complete(connection, file, { upload, parts });
    await end(connection, file, published === 'published' ? null : upload.id);
    return published;
  } catch (error) {
    // What the store refuses it may refuse forever: the next attempt begins another upload.
    if (![null, 503].includes(statusOf(error))) await end(connection, file, upload.id).catch(() => undefined);
    throw error;
  }
}

interface Upload {
  readonly id: string;
  /** Parts that the store has, by their number. */
  readonly parts: ReadonlyMap<number, CompletedPart>;
}

async function openUpload(connection: S3Connection, file: LargeFile): Promise<Upload> {
  const earlier = await readState(file.stateFile, file.content);
  const kept = earlier === null ? null : await partsOf(connection, file.key, earlier);
  const upload = earlier !== null && kept ? { id: earlier, parts: kept } : await beginUpload(connection, file);
  // Once it has begun: if the answer to its beginning was lost, the library has begun a second one.
  await abortOthers(connection, file.key, upload.id);
  return upload;
}

async function beginUpload({ bucket, ask }: S3Connection, { key, content, stateFile }: LargeFile): Promise<Upload> {
  const { UploadId: id = '' } = await ask((s3) =>
    s3.createMultipartUpload({ Bucket: bucket, Key: key, ChecksumAlgorithm: 'SHA256', ...headersOf(key, content) }),
  );
  await writeFile(stateFile, JSON.stringify({ upload_id: id, sha256: content.sha256 }));
  return { id, parts: new Map() };
}

/** Null when nothing is recorded, or other bytes are. */
async function readState(stateFile: string, { sha256 }: Content): Promise<string | null> {
  try {
    const stored = StoredUpload.parse(JSON.parse(await readFile(stateFile, 'utf8')));
    return stored.sha256 === sha256 ? stored.upload_id : null;
  } catch {
    return null; // missing, or torn by a crash: the same
  }
}

/** Null when the store no longer knows the upload. */
async function partsOf(
  { bucket, ask }: S3Connection,
  key: string,
  uploadId: string,
): Promise<Map<number, CompletedPart> | null> {
  const parts = new Map<number, CompletedPart>();
  let marker: string | undefined;
  try {
    do {
      const page = await ask((s3) =>
        s3.listParts({ Bucket: bucket, Key: key, UploadId: uploadId, ...(marker && { PartNumberMarker: marker }) }),
      );
      for (const { PartNumber, ETag, ChecksumSHA256 } of page.Parts ?? []) {
        if (PartNumber && ETag && ChecksumSHA256) parts.set(PartNumber, { PartNumber, ETag, ChecksumSHA256 });
      }
      marker = page.IsTruncated ? page.NextPartNumberMarker : undefined;
    } while (marker !== undefined);
    return parts;
  } catch (error) {
    if (isNoUpload(error)) return null;
    throw error;
  }
}

/** Uploads of this name that nobody will complete: a worker died on another machine, or lost its staging folder. */
async function abortOthers({ bucket, ask }: S3Connection, key: string, own: string | null): Promise<void> {
  const { Uploads = [] } = await ask((s3) => s3.listMultipartUploads({ Bucket: bucket, Prefix: key }));
  for (const { Key, UploadId } of Uploads) {
    if (Key !== key || UploadId === undefined || UploadId === own) continue;
    await ask((s3) => s3.abortMultipartUpload({ Bucket: bucket, Key: key, UploadId })).catch(unlessGone);
  }
}

async function sendParts(
  { bucket, ask }: S3Connection,
  { key, localFile, content, partBytes, limit }: LargeFile,
  upload: Upload,
): Promise<readonly CompletedPart[]> {
  const file = await open(localFile, 'r');
  const send = async (index: number): Promise<CompletedPart> => {
    const length = Math.min(partBytes, content.sizeBytes - index * partBytes);
    const body = Buffer.allocUnsafe(length);
    const { bytesRead } = await file.read(body, 0, length, index * partBytes);
    if (bytesRead < length) throw new StorageError(`Cannot read "${localFile}": it has lost its end`, 'EIO');
    const checksum = base64(createHash('sha256').update(body).digest('hex'));
    const there = upload.parts.get(index + 1);
    if (there?.ChecksumSHA256 === checksum) return there;
    const part = { PartNumber: index + 1, ChecksumSHA256: checksum };
    const sent = await ask((s3) =>
      s3.uploadPart({ Bucket: bucket, Key: key, UploadId: upload.id, Body: body, ContentLength: length, ...part }),
    );
    return { ...part, ETag: sent.ETag };
  };
  const sending = Array.from({ length: Math.ceil(content.sizeBytes / partBytes) }, (_, index) => limit(send, index));
  try {
    return await Promise.all(sending);
  } finally {
    await Promise.allSettled(sending); // those still under way read the file
    await file.close();
  }
}

async function complete(
  connection: S3Connection,
  { key, content }: LargeFile,
  { upload, parts }: { readonly upload: Upload; readonly parts: readonly CompletedPart[] },
): Promise<Published> {
  const { bucket, ask } = connection;
  const compare = () => whatIsThere(connection, key, content);
  const named = { Bucket: bucket, Key: key, UploadId: upload.id };
  const give = () =>
    ask((s3) => s3.completeMultipartUpload({ ...named, IfNoneMatch: '*', MultipartUpload: { Parts: [...parts] } }));
  try {
    return await onceNamed(give, compare);
  } catch (error) {
    // Its answer may have been lost: then the object is there, and the upload is not.
    const there = isNoUpload(error) ? await compare() : null;
    if (there) return there;
    throw error;
  }
}

/** Removes everything of the upload, at the store and here. */
async function end({ bucket, ask }: S3Connection, file: LargeFile, uploadId: string | null): Promise<void> {
  const { key, content, stateFile } = file;
  const left = uploadId ?? (await readState(stateFile, content));
  await rm(stateFile, { force: true });
  if (left !== null) {
    await ask((s3) => s3.abortMultipartUpload({ Bucket: bucket, Key: key, UploadId: left })).catch(unlessGone);
  }
}

function unlessGone(error: unknown): void {
  if (!isNoUpload(error)) throw error;
}
