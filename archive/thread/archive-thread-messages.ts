import type { Proxies } from '../../api/proxies.js';
import type { Archived, ArchiveJob, ArchiveOptions } from '../archive-movie.js';
import type { ArchivableAsset } from '../download/asset-listing.js';
import { AssetGoneError, DownloadError, StorageError } from '../errors.js';

/** What the thread gets at its start. */
export interface ThreadData {
  /** `file:<folder>` or `s3://bucket/prefix` */
  readonly archiveUrl: string;
  /** For files that are not in a bucket yet. */
  readonly stagingFolder: string;
  /** Through which the files of the service are reached. */
  readonly proxies: Proxies;
}

/** What the thread does for its owner. Calls are numbered by the owner. */
export interface ThreadFunctions {
  archive(call: number, job: ArchiveJob, options: Pick<ArchiveOptions, 'sideFiles'>): Promise<Answer>;
  /** The call ends soon, and still answers: until then its files may be written. */
  cancel(call: number): void;
}

/** What the owner does for the thread: only it has the key of the service. */
export interface OwnerFunctions {
  listAssets(call: number): Promise<readonly ArchivableAsset[]>;
}

export type Answer =
  | { readonly archived: Archived; readonly fault?: never }
  | { readonly fault: Fault; readonly archived?: never };

/** An error on its way between threads, where it would lose its class and the fields of that class. */
export type Fault =
  | ({ readonly kind: 'storage' } & Pick<StorageError, 'message' | 'code'>)
  | ({ readonly kind: 'download' } & Pick<DownloadError, 'message' | 'status' | 'retryAfterMs'>)
  | ({ readonly kind: 'gone' } & Pick<AssetGoneError, 'message' | 'reason'>)
  /** The owner could not list the files, and knows why. */
  | { readonly kind: 'not listed' }
  | { readonly kind: 'other'; readonly message: string; readonly stack: string | undefined };

/** Stands for the owner's own error, which stays with it. */
export class NotListedError extends Error {}

export function faultOf(error: unknown): Fault {
  if (error instanceof StorageError) return { kind: 'storage', message: error.message, code: error.code };
  if (error instanceof AssetGoneError) return { kind: 'gone', message: error.message, reason: error.reason };
  if (error instanceof DownloadError) {
    const { message, status, retryAfterMs } = error;
    return { kind: 'download', message, status, retryAfterMs };
  }
  if (error instanceof NotListedError) return { kind: 'not listed' };
  // As text, since what is attached to an unforeseen error may be of a kind that cannot be sent.
  return error instanceof Error
    ? { kind: 'other', message: error.message, stack: error.stack }
    : { kind: 'other', message: String(error), stack: undefined };
}

export function errorOf(fault: Exclude<Fault, { kind: 'not listed' }>): Error {
  switch (fault.kind) {
    case 'storage':
      return new StorageError(fault.message, fault.code);
    case 'gone':
      return new AssetGoneError(fault.message, fault.reason);
    case 'download':
      return new DownloadError(fault.message, fault);
    case 'other':
      return Object.assign(new Error(fault.message), { stack: fault.stack });
  }
}
