import { createAuthentication } from './api-keys.js';
import { createApp } from './app.js';
import { createAssets } from './assets.js';
import { type Books, createRequestLog, readBooks } from './books.js';
import { createCommits } from './commits.js';
import { createFaults } from './faults/faults.js';
import type { FaultScript, MovieQuirk } from './faults/script.js';
import { createFilms } from './films.js';
import type { BodyLimits } from './http/body.js';
import type { UploadLimits } from './http/upload.js';
import { createDoor } from './http/visit.js';
import { createIdempotencyKeys, type IdempotencyMode } from './idempotency.js';
import { createJobs } from './jobs.js';
import { type AcceptedRequest, createMovies, type Preset } from './movies.js';
import { createCancelMovie } from './operations/cancel-movie.js';
import { createCreateMovie } from './operations/create-movie.js';
import { createDownloadAsset } from './operations/download-asset.js';
import { createEstimateMovie } from './operations/estimate-movie.js';
import { createGetMovie } from './operations/get-movie.js';
import { createListAssets } from './operations/list-assets.js';
import { createUploadReference } from './operations/upload-reference.js';
import { createPages } from './pages.js';
import type { Pricing } from './price.js';
import { createRateLimit, type Rate } from './rate-limit.js';
import { createReferences } from './references.js';
import { probeReference, renderFilm } from './render/render.js';
import type { Renderer } from './renderer.js';
import { createSignedUrls } from './signed-urls.js';
import { openStore } from './store.js';
import { createDispatcher, createSend, type Send } from './webhooks/dispatcher.js';
import { createOutbox } from './webhooks/outbox.js';

export type { Books } from './books.js';

/** What a `jobSeconds` function is told of a movie. */
export type JobBrief = Pick<AcceptedRequest, 'prompt' | 'duration_seconds' | 'aspect_ratio'>;

export interface StudioOptions {
  /** SQLite and files. Everything is kept here; only one studio at a time may have it open. */
  readonly dataFolder: string;
  readonly apiKeys: readonly string[];
  /** Default `draft`. */
  readonly render?: Preset;
  /** Default `replay`. */
  readonly idempotency?: IdempotencyMode;
  /** Of uploads, estimates and creates, per key. Default: none. */
  readonly rate?: Rate;
  readonly pricing?: Pricing;
  /** Default one hour. */
  readonly assetUrlSeconds?: number;
  /** How long a stub job takes on the clock. Default 0. */
  readonly jobSeconds?: number | ((movie: JobBrief) => number);
  /** Renders at a time; default 1. Stubs are not rendered one by one and have no limit. */
  readonly concurrency?: number;
  /** Keeps every request, and shows the books at `GET /_studio/books`. */
  readonly books?: boolean;
  readonly faults?: FaultScript;
  /** Milliseconds; default the machine's. The age of everything is read off it when a request arrives. */
  readonly clock?: () => number;
  /** Where clients reach the studio, ending in `/v1`; for asset URLs. Default: where the request was sent to. */
  readonly publicUrl?: string;
  readonly webhooks?: {
    /** `whsec_…`; default one drawn at the first start of this data folder. */
    readonly secret?: string;
    /** Allows callback addresses on this machine, also by plain http. */
    readonly allowLoopback?: boolean;
    readonly timeoutMs?: number;
    readonly send?: Send;
  };
  readonly limits?: { readonly body?: BodyLimits; readonly upload?: UploadLimits };
  /** Default: the studio's own. */
  readonly renderer?: Renderer;
  /** Told of errors that are the studio's own fault. */
  readonly onError?: (error: unknown) => void;
}

export interface Studio {
  /** Answers as a server would. Rejects where a server would break the connection. */
  fetch(request: Request): Promise<Response>;
  books(): Books;
  /** @throws ZodError when the script is none; then the old one stays. */
  setFaults(script: FaultScript): void;
  /** `whsec_…`, by which deliveries are signed. */
  readonly webhookSecret: string;
  /** Stops rendering; jobs go on where they were when the folder is opened again. */
  close(): Promise<void>;
}

/** Prompts of 8,000 and twenty descriptions of 1,000 characters, each escaped as `\ud83d\ude00`, fit. */
const bodyLimits: BodyLimits = { maxBytes: 512 * 1024, timeoutMs: 10_000 };
const uploadLimits: UploadLimits = { maxBytes: 512 * 1024 * 1024, idleMs: 30_000, totalMs: 15 * 60_000 };

/** A job that is to hang or to fail is not rendered; it gets there in this time. */
const spoiltJobMs = 1_000;

/** @throws Error when another studio has the data folder open. */
export async function createStudio(options: StudioOptions): Promise<Studio> {
  const {
    render: preset = 'draft',
    clock: now = Date.now,
    renderer = { renderFilm, probeReference },
    pricing = {},
    webhooks = {},
  } = options;
  const store = await openStore(options.dataFolder);
  const commits = createCommits(store.db);
  const closing = new AbortController();
  const [movies, references, assets] = [createMovies(store.db), createReferences(store), createAssets(store)];
  await Promise.all([references.sweep(), assets.sweep()]);
  const [outbox, requestLog] = [createOutbox(store.db), createRequestLog(store.db)];
  const films = createFilms({ renderer, references, filmsFolder: store.filmsFolder });
  const faults = createFaults(options.faults ?? {});
  const signedUrls = createSignedUrls(store.secret);
  const jobs = createJobs({ films, movies, assets, outbox, commits, now, concurrency: options.concurrency ?? 1 });
  const allowLoopback = webhooks.allowLoopback ?? false;
  const webhookSecret = webhooks.secret ?? `whsec_${store.secret.toString('base64')}`;
  const dispatcher = createDispatcher({
    outbox,
    commits,
    now,
    secret: webhookSecret,
    send: webhooks.send ?? createSend({ allowLoopback }),
    timeoutMs: webhooks.timeoutMs ?? 15_000,
  });
  const jobMsOf = jobLength(preset, options.jobSeconds ?? 0);
  const books = () => readBooks({ requestLog, movies, outbox, nowMs: now() });

  const brief = { references, allowLoopback, preset, pricing, jobMsOf };
  const idempotencyKeys = createIdempotencyKeys(store.db, options.idempotency ?? 'replay');
  const [{ incomingFolder }, publicUrl] = [store, options.publicUrl ?? null];
  const assetUrlMs = (options.assetUrlSeconds ?? 3600) * 1000;
  const authenticate = createAuthentication(options.apiKeys);
  const app = createApp({
    handlers: {
      uploadReference: createUploadReference({
        references,
        renderer,
        commits,
        incomingFolder,
        uploadLimits: options.limits?.upload ?? uploadLimits,
      }),
      estimateMovie: createEstimateMovie(brief),
      createMovie: createCreateMovie({ ...brief, movies, jobs, outbox, commits, faults, idempotencyKeys }),
      getMovie: createGetMovie({ movies }),
      cancelMovie: createCancelMovie({ movies, jobs, outbox, commits, now }),
      listAssets: createListAssets({ movies, assets, films, commits, signedUrls, assetUrlMs, publicUrl }),
      downloadAsset: createDownloadAsset({ assets, signedUrls }),
    },
    visit: createDoor({
      authenticate,
      faults,
      rateLimit: options.rate ? createRateLimit(options.rate) : null,
      bodyLimits: options.limits?.body ?? bodyLimits,
      now,
      closing: closing.signal,
      promptOf: (movieId) => movies.find(movieId)?.request.prompt ?? null,
      movieOfAsset: (assetId) => assets.find(assetId)?.movieId ?? null,
      record: async (entry) => {
        if (options.books) await commits.run(() => requestLog.insert(entry), { durable: false });
      },
      onError: options.onError ?? (() => undefined),
    }),
    pages: createPages({ authenticate, faults, books: options.books ? books : null, publicUrl }),
  });
  for (const movie of movies.toRender()) jobs.add(movie);
  dispatcher.pump();

  return {
    webhookSecret,
    books,
    setFaults: (script) => faults.set(script),
    async fetch(request) {
      const response = await app.fetch(request);
      dispatcher.pump();
      return response;
    },
    async close() {
      closing.abort();
      await Promise.all([jobs.close(), dispatcher.close()]);
      commits.close();
      store.close();
    },
  };
}

function jobLength(preset: Preset, jobSeconds: NonNullable<StudioOptions['jobSeconds']>) {
  return (brief: AcceptedRequest, quirks: readonly MovieQuirk[] = []): number | null => {
    const spoilt = quirks.some(({ effect }) => effect === 'stuck' || effect === 'fail');
    if (preset !== 'stub') return spoilt ? spoiltJobMs : null;
    const seconds = typeof jobSeconds === 'number' ? jobSeconds : jobSeconds(brief);
    return Math.round(seconds * 1000);
  };
}
