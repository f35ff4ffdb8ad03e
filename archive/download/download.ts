import type { Dispatcher } from 'undici';
import type { Content } from '../archive-store.js';
import { AssetGoneError, DownloadError, onDisk } from '../errors.js';
import { type AssetAnswer, askForAsset, type Body } from './asset-answer.js';
import { openPartFile, type PartFile } from './part-file.js';

export interface DownloadOptions {
  /** Signed and temporary: neither logged nor repeated in an error. */
  readonly url: string;
  /** The type that the service states: a web page in its place is refused. */
  readonly expected?: { readonly mimeType: string | null };
  /** Asks the service for a fresh URL of the same file. */
  refreshUrl(): Promise<string>;
  /** Receives the bytes, and keeps them when the download fails. Nobody else may write to it meanwhile. */
  readonly partFile: string;
  readonly signal?: AbortSignal | undefined;
  /** Called for every piece that was written: a sign of life. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
  /** A request to a server that is silent for longer is given up; a minute by default. */
  readonly silenceMs?: number | undefined;
  /** Undici's global dispatcher by default. */
  readonly dispatcher?: Dispatcher | undefined;
}

const defaultSilenceMs = 60_000;

/** Fresh URLs in a row without a byte in between: one for a URL that just expired, one more for a slow clock. */
const maxRefreshes = 2;

/** How often one call resumes a transfer that broke off. */
const maxResumes = 5;

/**
 * Downloads a file into `partFile`, from where an earlier call or process stopped if the file is still the same.
 *
 * Requests are repeated in two cases only, both of which continue one transfer and lose nothing by it: a URL expired,
 * or the connection broke while bytes were coming. Giving up instead would throw away a URL that is valid only for a
 * while. Everything else is one attempt, and the caller decides on the next.
 *
 * @returns the finished file's hash and size; a power cut may still take the file: its publisher confirms it.
 * @throws AssetGoneError when the service does not give the file; DownloadError when this attempt failed;
 * StorageError when the disk refuses; the signal's reason when it fires.
 */
export async function downloadAsset(options: DownloadOptions): Promise<Content> {
  const part = await onDisk('open the download', () => openPartFile(options.partFile));
  try {
    await receive(part, options);
    if (part.sizeBytes === 0)
      throw new AssetGoneError('Cannot download the file: the service gives it without a byte', 'empty');
  } catch (error) {
    // The error that ended the download says more than an error about keeping it.
    await part.keep().catch(() => {});
    throw error;
  }
  return onDisk('finish the download', () => part.finish());
}

async function receive(part: PartFile, options: DownloadOptions): Promise<void> {
  const { signal, dispatcher, expected, silenceMs = defaultSilenceMs } = options;
  let { url } = options;
  let refreshesLeft = maxRefreshes;
  for (let resumesLeft = maxResumes; resumesLeft >= 0;) {
    signal?.throwIfAborted();
    if (isComplete(part)) return;
    const answer = await askForAsset({ url, from: resumeFrom(part), signal, dispatcher, silenceMs });
    if (answer.kind === 'not here') {
      if (refreshesLeft === 0) {
        throw new AssetGoneError(`Cannot download the file: a fresh URL was answered ${answer.status}`, 'refused');
      }
      refreshesLeft -= 1;
      url = await options.refreshUrl();
      continue;
    }
    const body = await joinOn(answer, part);
    if (body) {
      refusePage(body, expected?.mimeType ?? null);
      const before = part.sizeBytes;
      if ((await copy(body, part, options)) === 'complete') return;
      if (part.sizeBytes > before) refreshesLeft = maxRefreshes;
    }
    resumesLeft -= 1;
  }
  throw new DownloadError(
    `Cannot download the file: it broke off ${maxResumes + 1} times, at ${part.sizeBytes} bytes`,
    {
      status: null,
      retryAfterMs: null,
    },
  );
}

function isComplete({ representation, sizeBytes }: PartFile): boolean {
  return sizeBytes > 0 && sizeBytes === representation.totalBytes;
}

function resumeFrom({ representation: { etag }, sizeBytes }: PartFile) {
  return etag !== null && sizeBytes > 0 ? { bytes: sizeBytes, etag } : null;
}

/** Prepares the part for the answer's bytes; null when the answer does not continue what is there. */
async function joinOn(answer: Exclude<AssetAnswer, { kind: 'not here' }>, part: PartFile): Promise<Body | null> {
  if (answer.kind === 'whole') {
    await onDisk('begin the download', () => part.restart({ etag: answer.etag, totalBytes: answer.totalBytes }));
    return answer.body;
  }
  const known = part.representation.totalBytes;
  if (answer.kind === 'rest') {
    if (
      answer.start === part.sizeBytes &&
      (known === null || answer.totalBytes === null || answer.totalBytes === known)
    ) {
      return answer.body;
    }
    answer.body.discard();
  }
  await onDisk('begin the download', () => part.restart({ etag: null, totalBytes: null }));
  return null;
}

/** A proxy or a login wall answers any URL with a page and status 200: not a movie, but a later attempt may get one. */
function refusePage(body: Body, expected: string | null): void {
  const { mimeType } = body;
  const isPage = mimeType === 'text/html' || mimeType === 'application/xhtml+xml' || mimeType === 'application/json';
  if (!isPage || !expected || !/^(video|image|audio)\//.test(expected)) return;
  body.discard();
  throw new DownloadError(`Cannot download the file: the server answered with ${mimeType}, expected ${expected}`, {
    status: 200,
    retryAfterMs: null,
  });
}

class BrokenOff extends Error {}

/** Tells failures of the connection from failures of what is done with each piece. */
async function* pieces({ bytes }: Body): AsyncGenerator<Buffer> {
  try {
    yield* bytes;
  } catch (error) {
    throw new BrokenOff('the connection broke off', { cause: error });
  }
}

async function copy(
  body: Body,
  part: PartFile,
  { signal, onBytes }: DownloadOptions,
): Promise<'complete' | 'broken off'> {
  try {
    for await (const piece of pieces(body)) {
      await onDisk('write the download', () => part.append(piece));
      onBytes?.(piece.length);
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof BrokenOff) return 'broken off';
    throw error;
  }
  const { totalBytes } = part.representation;
  if (totalBytes === null || part.sizeBytes === totalBytes) return 'complete';
  if (part.sizeBytes < totalBytes) return 'broken off';
  throw new DownloadError(`Cannot download the file: ${part.sizeBytes} bytes came, expected ${totalBytes}`, {
    status: null,
    retryAfterMs: null,
  });
}
