/** A fault on our side: the disk is full, a folder cannot be written. It never ends a movie; it waits for a person. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  /** The system's code, e.g. "ENOSPC". */
  readonly code: string;

  constructor(message: string, code: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/**
 * The service does not deliver the file: a fresh URL was refused as well, the file is no longer listed, or it is
 * empty.
 */
export class AssetGoneError extends Error {
  override readonly name = 'AssetGoneError';
  readonly reason: 'refused' | 'not listed' | 'empty';

  constructor(message: string, reason: AssetGoneError['reason']) {
    super(message);
    this.reason = reason;
  }
}

/** This attempt got no complete file; a later one may. What arrived is kept. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
  /** The answer that ended the attempt; null when there was none. */
  readonly status: number | null;
  /** How long the server asks to wait; null when it does not say. */
  readonly retryAfterMs: number | null;

  constructor(message: string, detail: Pick<DownloadError, 'status' | 'retryAfterMs'>) {
    super(message);
    this.status = detail.status;
    this.retryAfterMs = detail.retryAfterMs;
  }
}

const words: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is used up',
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'the disk is read-only',
  EIO: 'the disk reported an error',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ENOTDIR: 'part of the path is not a folder',
  ENOENT: 'the file or folder is gone',
};

/**
 * Runs work on files and says in its errors what failed and why.
 *
 * @throws StorageError "Cannot <action>: <what the system says>".
 */
export async function onDisk<T>(action: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = errnoOf(error);
    if (code === null || error instanceof StorageError) throw error;
    throw new StorageError(`Cannot ${action}: ${words[code] ?? 'the system refused'} (${code})`, code, {
      cause: error,
    });
  }
}

/** The system's code of an error, e.g. "EEXIST"; null for other errors. */
export function errnoOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
