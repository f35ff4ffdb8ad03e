import { type Dispatcher, getGlobalDispatcher, interceptors, request } from 'undici';
import { retryAfterMs } from '../../domain/answers/retry-after.js';
import { DownloadError, errnoOf } from '../errors.js';

export interface AssetRequest {
  readonly url: string;
  /** Asks for the bytes from here on, if the file is still this representation. */
  readonly from: { readonly bytes: number; readonly etag: string } | null;
  readonly signal: AbortSignal | undefined;
  readonly dispatcher: Dispatcher | undefined;
  readonly silenceMs: number;
}

/** What a file server said, without its URL. */
export type AssetAnswer =
  /** The whole file, from its first byte. */
  | { readonly kind: 'whole'; readonly etag: string | null; readonly totalBytes: number | null; readonly body: Body }
  /** The bytes from `start` on, of the representation that was asked for. */
  | { readonly kind: 'rest'; readonly start: number; readonly totalBytes: number | null; readonly body: Body }
  /** The range is not available: the file has changed, or is shorter. */
  | { readonly kind: 'no such range' }
  /** This URL has expired, or the file is gone; a fresh URL tells which. */
  | { readonly kind: 'not here'; readonly status: number };

export interface Body {
  readonly bytes: AsyncIterable<Buffer>;
  /** Drops the connection instead of reading on. */
  discard(): void;
  /** Without parameters, in lower case. */
  readonly mimeType: string | null;
}

/** Signed URLs often lead on to where the bytes are. No key is sent with them, so following gives nothing away. */
const maxRedirections = 5;

/** Statuses with which file servers say that a signed URL has expired or a file is gone (Google answers 400). */
const notHere: ReadonlySet<number> = new Set([400, 401, 403, 404, 410]);

/**
 * Sends one request to a file server.
 *
 * @throws DownloadError when there is no answer, or one after which a later attempt may succeed. Its message names no
 * URL: signed URLs are secrets.
 */
export async function askForAsset(ask: AssetRequest): Promise<AssetAnswer> {
  const response = await send(ask);
  const status = response.statusCode;
  const header = (name: string) => single(response.headers[name]);
  if (header('content-encoding') !== null && header('content-encoding') !== 'identity') {
    // Ranges and lengths would count compressed bytes, and the request asked for none.
    response.body.on('error', () => {}).destroy();
    throw failed('the server packs it although asked not to', { status, retryAfterMs: null });
  }
  const body = {
    bytes: response.body,
    discard: () => void response.body.on('error', () => {}).destroy(),
    mimeType: header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? null,
  };
  const etag = strong(header('etag'));
  if (status === 200) return { kind: 'whole', etag, totalBytes: count(header('content-length')), body };
  const range = status === 206 && ask.from ? parseContentRange(header('content-range')) : null;
  if (range && (etag === null || etag === ask.from?.etag)) return { kind: 'rest', ...range, body };

  // The body of an error does not matter, but its connection does: read it to its end if that is near.
  await response.body.dump({ limit: 16_384 }).catch(() => {});
  if (status === 206 || status === 416) return { kind: 'no such range' };
  if (notHere.has(status)) return { kind: 'not here', status };
  const wait = retryAfterMs(header('retry-after'), Date.now());
  throw failed(`the server answered ${status}`, { status, retryAfterMs: wait });
}

async function send({ url, from, signal, dispatcher, silenceMs }: AssetRequest): Promise<Dispatcher.ResponseData> {
  const range = from ? { range: `bytes=${from.bytes}-`, 'if-range': from.etag } : {};
  try {
    return await request(url, {
      headers: { 'accept-encoding': 'identity', 'user-agent': 'greenlight', ...range },
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
      signal: signal ?? null,
      dispatcher: (dispatcher ?? getGlobalDispatcher()).compose(interceptors.redirect({ maxRedirections })),
    });
  } catch (error) {
    signal?.throwIfAborted();
    // Not even as cause: errors of this layer can repeat the URL.
    const name = errnoOf(error) ?? (error instanceof Error ? error.name : 'unknown');
    throw failed(`no answer from the server (${name})`, { status: null, retryAfterMs: null });
  }
}

function failed(what: string, detail: Pick<DownloadError, 'status' | 'retryAfterMs'>): DownloadError {
  return new DownloadError(`Cannot download the file: ${what}`, detail);
}

function single(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/** A weak tag says "as good as", which is not enough to join two halves (RFC 9110, 13.1.5). */
function strong(etag: string | null): string | null {
  return etag !== null && /^"[^"]*"$/.test(etag) ? etag : null;
}

function count(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

function parseContentRange(text: string | null): { readonly start: number; readonly totalBytes: number | null } | null {
  const match = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15}|\*)$/.exec(text ?? '');
  return match ? { start: Number(match[1]), totalBytes: count(match[2] ?? null) } : null;
}
