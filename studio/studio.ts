import { createAdminCheck, createAuthentication } from './api-keys.js';
import { createApp } from './app.js';
import { type Books, readBooks } from './books.js';
import type { FaultScript } from './faults/script.js';
import { createHandlers } from './handlers.js';
import { createPipeline } from './operations/pipeline.js';
import { defaultBodyLimits, type StudioOptions } from './options.js';
import { createPages } from './pages.js';
import { openParts, type Parts } from './parts.js';
import { createRateLimit } from './rate-limit.js';

export type { Books } from './books.js';
export type { StudioOptions } from './options.js';

export interface Studio {
  /** Answers as a server would. Rejects where a server would break the connection. */
  fetch(request: Request): Promise<Response>;
  books(): Books;
  /** @throws ZodError when the script is invalid; the old one then stays. */
  setFaults(script: FaultScript): void;
  /** `whsec_…`, with which deliveries are signed. */
  readonly webhookSecret: string;
  /** Stops rendering; jobs continue where they were when the folder is opened again. */
  close(): Promise<void>;
}

/**
 * The reference movie service in this process.
 *
 * @throws Error when another studio has the data folder open; ZodError when the fault script is invalid.
 */
export async function createStudio(options: StudioOptions): Promise<Studio> {
  const parts = await openParts(options);
  const { faults, dispatcher, webhookSecret, now } = parts;
  const closing = new AbortController();
  const authenticate = createAuthentication(options.apiKeys);
  const books = () => readBooks({ ...parts, nowMs: now() });
  const app = createApp({
    handlers: createHandlers(parts, options),
    serve: createPipeline({ ...pipelineDeps(parts, options), authenticate, closing: closing.signal }),
    pages: createPages({
      checkAdmin: options.adminKey === undefined ? null : createAdminCheck(options.adminKey, authenticate),
      faults,
      books: options.books ? books : null,
      publicUrl: options.publicUrl ?? null,
    }),
  });
  return {
    webhookSecret,
    books,
    setFaults: (script) => faults.set(script),
    async fetch(request) {
      if (closing.signal.aborted) throw new Error('Cannot serve request: the studio is closed');
      const response = await app.fetch(request);
      dispatcher.pump();
      return response;
    },
    async close() {
      closing.abort();
      await parts.close();
    },
  };
}

function pipelineDeps(parts: Parts, { rate, limits, books, onError = () => undefined }: StudioOptions) {
  const { faults, movies, assets, commits, requestLog, now } = parts;
  return {
    faults,
    now,
    onError,
    rateLimit: rate ? createRateLimit(rate) : null,
    bodyLimits: limits?.body ?? defaultBodyLimits,
    promptOf: (movieId: string) => movies.find(movieId)?.request.prompt ?? null,
    movieOfAsset: (assetId: string) => assets.find(assetId)?.movieId ?? null,
    async record(entry: Books['requests'][number]) {
      if (books) await commits.run(() => requestLog.insert(entry), { durable: false });
    },
  };
}
