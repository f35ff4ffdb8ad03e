import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { z } from 'zod';
import {
  type Asset,
  AssetList,
  Estimate,
  IdempotencyKey,
  Movie,
  type MovieRequest,
  type Operation,
  Reference,
  routes,
} from './contract.js';
import { ConnectionError } from './errors.js';
import { createFetchTransport } from './fetch-transport.js';
import { readAnswer } from './read-answer.js';
import { routePath } from './route-path.js';
import { createUndiciTransport, type Timeouts } from './undici-transport.js';
import { type ReferenceFile, uploadBody } from './upload-body.js';

export interface CallOptions {
  readonly signal?: AbortSignal;
}

/**
 * The Movie Generation Service, one attempt per call: nothing is retried here, so a caller that sees an error decides
 * with all that is known. Every call rejects with `MovieApiError` (the service refused), `ContractError` (its answer
 * breaks the interface) or `ConnectionError` (no complete answer), and with a `RangeError`, before anything is sent,
 * for an argument that the interface cannot carry.
 */
export interface MovieApi {
  readonly baseUrl: string;
  /**
   * Sends a file as generation context; its id can be used in any number of movies.
   *
   * @throws Error of the file itself (missing, unreadable, of another size than stated).
   */
  uploadReference(file: ReferenceFile, options?: CallOptions): Promise<Reference>;
  /** Asks for the price of a movie. Creates nothing. */
  estimateMovie(request: MovieRequest, options?: CallOptions): Promise<Estimate>;
  /** Orders a movie with exactly these bytes as body. **Bills.** The key has 8 to 255 visible ASCII characters. */
  createMovie(requestBody: string, options: CallOptions & { readonly idempotencyKey: string }): Promise<Movie>;
  getMovie(movieId: string, options?: CallOptions): Promise<Movie>;
  /** Asks the service to stop the job; one that has ended is returned unchanged. */
  cancelMovie(movieId: string, options?: CallOptions): Promise<Movie>;
  /** Lists the files of a movie. Their URLs are secrets that expire: do not store or log them. */
  listAssets(movieId: string, options?: CallOptions): Promise<readonly Asset[]>;
  /** Drops every connection; calls under way are rejected. */
  close(): Promise<void>;
}

export interface MovieApiDeps {
  /** Including the version segment; a slash at its end is ignored. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** An undici dispatcher in place of the client's own pool (a proxy agent); its owner closes it. */
  readonly dispatcher?: Dispatcher;
  /** The address of the proxy through which the service is reached. */
  readonly proxy?: string | null;
  /** A service in this process, in place of the network. */
  readonly fetch?: (request: Request) => Promise<Response>;
  readonly timeouts?: Timeouts;
  /** Maximum number of open connections; further calls wait for one. */
  readonly maxConnections?: number;
}

/** A create may work for some seconds before it answers, and giving up on it leaves a row unknown, so be patient. */
const defaultTimeouts: Timeouts = { connectMs: 10_000, headersMs: 60_000, bodyMs: 30_000 };

/** Enough for concurrent polls; more connections cost the service more than they save here. */
const defaultMaxConnections = 64;

/** @throws TypeError when the base URL or the key cannot be used; the key is not repeated in the message. */
export function createMovieApi(deps: MovieApiDeps): MovieApi {
  const base = parseBaseUrl(deps.baseUrl);
  const authorization = bearer(deps.apiKey);
  const transport = transportOf(deps, base);

  async function call<T>(operation: Operation, schema: z.ZodType<T>, ask: Ask<T>): Promise<T> {
    const answer = await transport.send({
      operation,
      method: routes[operation].method,
      path: routePath(operation, ask.movieId),
      headers: { authorization, accept: 'application/json', 'user-agent': 'greenlight', ...ask.headers },
      body: ask.body ?? null,
      signal: ask.signal,
    });
    return readAnswer(answer, { operation, schema, problemWith: ask.problemWith, secret: deps.apiKey });
  }

  /** An answer about another movie would put its files under this one's name. */
  function callAbout(operation: 'getMovie' | 'cancelMovie', movieId: string, options?: CallOptions): Promise<Movie> {
    const problemWith = ({ id }: Movie) => (id === movieId ? null : `it is about ${id}, asked about ${movieId}`);
    return call(operation, Movie, { movieId, problemWith, signal: options?.signal });
  }

  return {
    baseUrl: base.url,
    async uploadReference(file, options) {
      const upload = uploadBody(file);
      try {
        return await call('uploadReference', Reference, {
          headers: { 'content-type': upload.contentType, 'content-length': String(upload.contentLength) },
          body: upload.stream,
          signal: options?.signal,
        });
      } catch (error) {
        throw error instanceof ConnectionError ? (upload.fileError() ?? error) : error;
      } finally {
        upload.stream.destroy();
      }
    },
    estimateMovie: (request, options) =>
      call('estimateMovie', Estimate, {
        headers: jsonBody,
        body: Buffer.from(JSON.stringify(request)),
        signal: options?.signal,
      }),
    async createMovie(requestBody, { idempotencyKey, signal }) {
      const headers = { ...jsonBody, 'idempotency-key': checkedKey(idempotencyKey) };
      return call('createMovie', Movie, { headers, body: Buffer.from(requestBody), signal });
    },
    getMovie: (movieId, options) => callAbout('getMovie', movieId, options),
    cancelMovie: (movieId, options) => callAbout('cancelMovie', movieId, options),
    async listAssets(movieId, options) {
      const { data } = await call('listAssets', AssetList, { movieId, signal: options?.signal });
      return data;
    },
    close: () => transport.close(),
  };
}

function transportOf(deps: MovieApiDeps, base: ReturnType<typeof parseBaseUrl>) {
  if (deps.fetch) return createFetchTransport(base.url, deps.fetch);
  return createUndiciTransport({
    ...base,
    timeouts: deps.timeouts ?? defaultTimeouts,
    maxConnections: deps.maxConnections ?? defaultMaxConnections,
    dispatcher: deps.dispatcher,
    proxy: deps.proxy,
  });
}

interface Ask<T> {
  readonly movieId?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | Readable;
  readonly problemWith?: (value: T) => string | null;
  readonly signal: AbortSignal | undefined;
}

const jsonBody = { 'content-type': 'application/json' } as const;

function parseBaseUrl(text: string): { readonly url: string; readonly origin: string; readonly basePath: string } {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search || url.hash || url.username || url.password) {
    throw new TypeError(
      'Cannot use the base URL of the movie service: expected http(s)://host/path, without user or query',
    );
  }
  const basePath = url.pathname.replace(/\/+$/, '');
  return { url: url.origin + basePath, origin: url.origin, basePath };
}

function bearer(apiKey: string): string {
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError('Cannot use the key of the movie service: expected visible ASCII characters without spaces');
  }
  return `Bearer ${apiKey}`;
}

function checkedKey(idempotencyKey: string): string {
  if (!IdempotencyKey.safeParse(idempotencyKey).success || !/^[\x21-\x7e]+$/.test(idempotencyKey)) {
    throw new RangeError('Cannot create the movie: expected an idempotency key of 8 to 255 visible ASCII characters');
  }
  return idempotencyKey;
}
