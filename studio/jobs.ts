import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import pLimit from 'p-limit';
import type { Assets, FilmFile } from './assets.js';
import type { Commits } from './commits.js';
import type { Films } from './films.js';
import type { MovieRecord, Movies } from './movies.js';
import type { RenderProgress } from './render/render.js';
import { type MovieState, rankOf, type WorkingStatus } from './timeline.js';
import type { Outbox } from './webhooks/outbox.js';

/** The movies that are really rendered, a few at a time, in the order in which they were created. */
export interface Jobs {
  add(movie: MovieRecord): void;
  /** Stops the movie's rendering. The caller records its state. */
  stop(movieId: string): void;
  /** Stops all; they continue when the data folder is opened again. */
  close(): Promise<void>;
}

export interface JobsDeps {
  readonly films: Films;
  readonly movies: Movies;
  readonly assets: Assets;
  readonly outbox: Outbox;
  readonly commits: Commits;
  readonly now: () => number;
  readonly concurrency: number;
}

export function createJobs(deps: JobsDeps): Jobs {
  const limit = pLimit(deps.concurrency);
  const open = new Map<string, AbortController>();
  const running = new Set<Promise<void>>();
  return {
    add(movie) {
      const stopping = new AbortController();
      open.set(movie.id, stopping);
      const job = limit(() => renderMovie(movie, deps, stopping.signal)).finally(() => {
        open.delete(movie.id);
        running.delete(job);
      });
      running.add(job);
    },
    stop: (movieId) => open.get(movieId)?.abort(),
    async close() {
      for (const stopping of open.values()) stopping.abort();
      await Promise.all(running);
    },
  };
}

async function renderMovie(movie: MovieRecord, deps: JobsDeps, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const ladder = createLadder(movie, deps);
  try {
    const files = await deps.films.render(movie, { onProgress: ladder.climb, signal });
    if (!(await complete(movie, files, deps))) await removeFilm(files);
  } catch (error) {
    if (signal.aborted) return;
    await fail(movie, error, { deps, percent: ladder.percent() });
  }
}

/** Turns the renderer's progress into states that only ever advance, even if a restart begins the film anew. */
function createLadder(movie: MovieRecord, { movies, outbox, commits, now }: JobsDeps) {
  let { status, percent } = movie.stored;
  return {
    percent: () => percent,
    climb(progress: RenderProgress): void {
      const steps: WorkingStatus[] = (['planning', 'generating', 'rendering'] as const).filter(
        (step) => rankOf(step) > rankOf(status) && rankOf(step) <= rankOf(progress.stage),
      );
      const higher = Math.max(percent, Math.min(99, Math.floor(progress.percent)));
      if (steps.length === 0 && higher === percent) return;
      percent = higher;
      const before = status;
      status = steps.at(-1) ?? status;
      const states = (steps.length > 0 ? steps : [before]).map((step): MovieState => ({
        status: step,
        percent,
        updatedMs: now(),
        endedMs: null,
        error: null,
      }));
      const write = () => {
        for (const state of states)
          if (movies.advance(movie.id, state) && steps.length > 0) outbox.announce(movie, state);
      };
      // Not durable: progress that a power cut loses is reported again.
      commits.run(write, { durable: false }).catch(() => undefined);
    },
  };
}

function complete(movie: MovieRecord, files: readonly FilmFile[], deps: JobsDeps): Promise<boolean> {
  const endedMs = deps.now();
  const state = { status: 'completed', percent: 100, updatedMs: endedMs, endedMs, error: null } as const;
  return deps.commits.run(() => {
    if (!deps.movies.advance(movie.id, state)) return false; // canceled meanwhile
    deps.assets.insert(movie.id, files, endedMs);
    deps.outbox.announce(movie, state);
    return true;
  });
}

async function fail(
  movie: MovieRecord,
  cause: unknown,
  { deps, percent }: { readonly deps: JobsDeps; readonly percent: number },
): Promise<void> {
  const endedMs = deps.now();
  const message = `Cannot render movie: ${cause instanceof Error ? cause.message : String(cause)}`;
  const error = { code: 'render_failed', message };
  const state = { status: 'failed', percent, updatedMs: endedMs, endedMs, error } as const;
  await deps.commits.run(() => {
    if (deps.movies.advance(movie.id, state)) deps.outbox.announce(movie, state);
  });
}

async function removeFilm(files: readonly FilmFile[]): Promise<void> {
  const [first] = files;
  if (first) await rm(dirname(first.path), { recursive: true, force: true });
}
