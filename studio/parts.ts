import { type Assets, createAssets } from './assets.js';
import { createRequestLog, type RequestLog } from './books.js';
import { type Commits, createCommits } from './commits.js';
import { createFaults, type Faults } from './faults/faults.js';
import { createFilms, type Films } from './films.js';
import { createJobs, type Jobs } from './jobs.js';
import { createMovies, type Movies } from './movies.js';
import type { StudioOptions } from './options.js';
import { createReferences, type References } from './references.js';
import { probeReference, renderFilm } from './render/render.js';
import type { Renderer } from './render/renderer.js';
import { openStore, type Store } from './store.js';
import { createDispatcher, createSend, type Dispatcher } from './webhooks/dispatcher.js';
import { createOutbox, type Outbox } from './webhooks/outbox.js';

/** What the operations of one studio share. */
export interface Parts {
  readonly store: Store;
  readonly commits: Commits;
  readonly movies: Movies;
  readonly references: References;
  readonly assets: Assets;
  readonly films: Films;
  readonly jobs: Jobs;
  readonly outbox: Outbox;
  readonly dispatcher: Dispatcher;
  readonly requestLog: RequestLog;
  readonly faults: Faults;
  readonly renderer: Renderer;
  readonly now: () => number;
  readonly webhookSecret: string;
  close(): Promise<void>;
}

/**
 * Opens the data folder, removes what a killed studio left half done, and resumes its jobs and deliveries.
 *
 * @throws Error when another studio has it open; ZodError when the fault script is invalid.
 */
export async function openParts(options: StudioOptions): Promise<Parts> {
  const { clock: now = Date.now, renderer = { renderFilm, probeReference }, webhooks = {}, concurrency = 1 } = options;
  const faults = createFaults(options.faults ?? {});
  const store = await openStore(options.dataFolder);
  const { db } = store;
  const [commits, movies, references, assets] = [
    createCommits(db, () => dispatcher.pump()), // a finished film wakes it, without any request
    createMovies(db),
    createReferences(store),
    createAssets(store),
  ];
  await Promise.all([references.sweep(), assets.sweep()]);
  const [outbox, requestLog] = [createOutbox(db), createRequestLog(db)];
  const films = createFilms({ renderer, references, filmsFolder: store.filmsFolder });
  const jobs = createJobs({ films, movies, assets, outbox, commits, now, concurrency });
  const secret = webhooks.secret ?? `whsec_${store.secret.toString('base64')}`;
  const { send = createSend({ allowLoopback: webhooks.allowLoopback ?? false }), timeoutMs = 15_000 } = webhooks;
  const dispatcher = createDispatcher({ outbox, commits, now, secret, send, timeoutMs });
  for (const movie of movies.toRender()) jobs.add(movie);
  dispatcher.pump();
  return {
    ...{
      store,
      commits,
      movies,
      references,
      assets,
      films,
      jobs,
      outbox,
      dispatcher,
      requestLog,
      faults,
      renderer,
      now,
    },
    webhookSecret: secret,
    async close() {
      await Promise.all([jobs.close(), dispatcher.close()]);
      commits.close();
      store.close();
    },
  };
}
