import { setTimeout as sleep } from 'node:timers/promises';
import type { PutObjectCommandInput } from '@aws-sdk/client-s3';
import type { Content, Published } from '../archive-store.js';
import { contentOf } from '../folder/hash-file.js';
import { mediaTypeOf } from './media-type.js';
import type { S3Connection } from './s3-connection.js';
import { conditionOf, isMissing, isTransient } from './s3-errors.js';

const maxAttempts = 5;
const firstPauseMs = 100;

/** Headers of a put, whichever way its bytes go. */
export function headersOf(key: string, { sha256 }: Content) {
  return { ContentType: mediaTypeOf(key), Metadata: { sha256 } };
}

/**
 * Puts an object unless its name is taken, in one request: the store checks both the bytes against our hash and the
 * name, so that it stores all of it or nothing.
 *
 * @param body made anew for each attempt: a stream can be sent once.
 */
export async function putOnce(
  connection: S3Connection,
  key: string,
  { content, body }: { readonly content: Content; readonly body: () => NonNullable<PutObjectCommandInput['Body']> },
): Promise<Published> {
  const put = () =>
    connection.ask((s3) =>
      s3.putObject({
        ...{ Bucket: connection.bucket, Key: key, Body: body(), ContentLength: content.sizeBytes, IfNoneMatch: '*' },
        ...{ ChecksumSHA256: base64(content.sha256), ...headersOf(key, content) },
      }),
    );
  return onceNamed(put, () => whatIsThere(connection, key, content));
}

/** Runs the request that gives an object its name, and retries it where that may help. */
export async function onceNamed(
  give: () => Promise<unknown>,
  compare: () => Promise<'already there' | 'taken' | null>,
): Promise<Published> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await give();
      return 'published';
    } catch (error) {
      // A put whose answer was lost finds its own object; null: it was removed since, so the name is free.
      const there = conditionOf(error) === 'taken' ? await compare() : null;
      if (there) return there;
      if (attempt === maxAttempts || (conditionOf(error) !== 'taken' && !isTransient(error))) throw error;
      await sleep(firstPauseMs * 2 ** attempt * (0.5 + Math.random()));
    }
  }
}

/** Whether the object of this name has this content; null when there is none. */
export async function whatIsThere(
  connection: S3Connection,
  key: string,
  content: Content,
): Promise<'already there' | 'taken' | null> {
  const { bucket } = connection;
  try {
    const head = await connection.ask((s3) => s3.headObject({ Bucket: bucket, Key: key, ChecksumMode: 'ENABLED' }));
    if (head.ContentLength !== content.sizeBytes) return 'taken';
    const sha256 = head.Metadata?.sha256 ?? wholeSha256(head.ChecksumSHA256) ?? (await read(connection, key)).sha256;
    return sha256 === content.sha256 ? 'already there' : 'taken';
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Hashes what somebody else put there without stating its hash. */
async function read({ bucket, ask }: S3Connection, key: string): Promise<Content> {
  const { Body } = await ask((s3) => s3.getObject({ Bucket: bucket, Key: key }));
  return contentOf(Body as NodeJS.ReadableStream as never);
}

/** In hex; null for the hash of hashes that an upload in parts has. */
function wholeSha256(checksum: string | undefined): string | null {
  return checksum === undefined || checksum.includes('-') ? null : Buffer.from(checksum, 'base64').toString('hex');
}

/** Hex as S3 writes hashes. */
export function base64(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64');
}
