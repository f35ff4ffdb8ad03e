import { StorageError } from '../errors.js';

/** What an object store answers when the name is taken, or another writer is taking it. */
export type Condition = 'taken' | 'busy';

/** What a person can do about it, by the name of the answer. */
const words: Readonly<Record<string, string>> = {
  NoSuchBucket: 'there is no such bucket; make it, or set GREENLIGHT_ARCHIVE_URL to another one',
  AccessDenied: 'the credentials do not permit this; see the permissions in docs/operating.md',
  InvalidAccessKeyId: 'the access key is not known there; check AWS_ACCESS_KEY_ID or AWS_PROFILE',
  SignatureDoesNotMatch: 'the secret key is wrong; check AWS_SECRET_ACCESS_KEY or AWS_PROFILE',
  ExpiredToken: 'the credentials have expired; renew them',
  CredentialsProviderError:
    'no credentials were found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE',
  PermanentRedirect: 'the bucket is in another region; set AWS_REGION to its region',
  AuthorizationHeaderMalformed: 'the bucket is in another region; set AWS_REGION to its region',
  BadDigest: 'what arrived there is not what was sent',
  SlowDown: 'it asks for fewer requests',
  TimeoutError: 'it does not answer',
  ECONNREFUSED: 'nothing answers at its address; check AWS_ENDPOINT_URL_S3',
  ENOTFOUND: 'its address is not known; check AWS_ENDPOINT_URL_S3 and AWS_REGION',
  ECONNRESET: 'the connection broke',
};

/** Faults that go away by themselves. */
const transient: ReadonlySet<string> = new Set([
  ...['SlowDown', 'InternalError', 'ServiceUnavailable', 'RequestTimeout', 'TimeoutError', 'BadDigest'],
  ...['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ConditionalRequestConflict', 'OperationAborted'],
]);

/** The status of an answer; null when there was none. */
export function statusOf(error: unknown): number | null {
  const { $metadata: metadata } = error as { readonly $metadata?: { readonly httpStatusCode?: number } };
  return metadata?.httpStatusCode ?? null;
}

/** The system's code if the call never got there, else the name of the answer, e.g. "NoSuchBucket". */
function nameOf(error: unknown): string {
  const {
    code,
    name,
    Code: named,
  } = error as { readonly code?: unknown; readonly name?: unknown; readonly Code?: unknown };
  if (typeof code === 'string') return code;
  if (typeof named === 'string') return named;
  return typeof name === 'string' ? name : 'Error';
}

/** Whether the object does not exist. */
export function isMissing(error: unknown): boolean {
  return (
    ['NotFound', 'NoSuchKey'].includes(nameOf(error)) ||
    (statusOf(error) === 404 && nameOf(error) !== 'NoSuchBucket' && !isNoUpload(error))
  );
}

/** Whether an upload in parts is over: it was completed, or somebody aborted it. */
export function isNoUpload(error: unknown): boolean {
  return nameOf(error) === 'NoSuchUpload';
}

/** Null for every other error. */
export function conditionOf(error: unknown): Condition | null {
  if (statusOf(error) === 412) return 'taken';
  return statusOf(error) === 409 ? 'busy' : null;
}

/** Whether the same call may succeed in a moment. */
export function isTransient(error: unknown): boolean {
  return (statusOf(error) ?? 0) >= 500 || statusOf(error) === 409 || transient.has(nameOf(error));
}

/** The error as all code above the store knows it: what failed, where, and what would be right. */
export function storageError(action: string, error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const name = nameOf(error);
  const message = error instanceof Error ? error.message : String(error);
  // To a request without a body, a store answers with the status alone.
  const byStatus = statusOf(error) === 403 ? words.AccessDenied : statusOf(error) === 404 ? words.NoSuchBucket : null;
  const region = /region is missing/i.test(message) ? 'no region is set; set AWS_REGION' : null;
  const said = words[name] ?? region ?? byStatus ?? message;
  // What the library attaches to its errors, such as sockets and signatures, goes no further.
  return new StorageError(`Cannot ${action}: ${said} (${name})`, name, { cause: new Error(message) });
}
