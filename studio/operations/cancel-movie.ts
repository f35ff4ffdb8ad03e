import type { Commits } from '../commits.js';
import { json } from '../http/json.js';
import type { Jobs } from '../jobs.js';
import { type MovieRecord, type Movies, stateOf } from '../movies.js';
import type { MovieState } from '../timeline.js';
import type { Outbox } from '../webhooks/outbox.js';
import { findMovie, movieAnswer } from './movie-answer.js';
import type { Handler } from './pipeline.js';

export interface CancelMovieDeps {
  readonly movies: Movies;
  readonly jobs: Jobs;
  readonly outbox: Outbox;
  readonly commits: Commits;
  readonly now: () => number;
}

/** Cancels a job unless it has ended. This is decided inside the transaction: whichever commits first wins. */
export function createCancelMovie(deps: CancelMovieDeps): Handler {
  const { movies, jobs, commits } = deps;
  const action = 'Cannot cancel movie';
  return async (context, id) => {
    findMovie(context, id, { movies, action });
    const { movie, state } = await commits.run(() => cancel(findMovie(context, id, { movies, action }), deps));
    if (state.status === 'canceled') jobs.stop(id);
    return json(200, movieAnswer(movie, state, context.rules));
  };
}

function cancel(
  movie: MovieRecord,
  { movies, outbox, now }: CancelMovieDeps,
): { movie: MovieRecord; state: MovieState } {
  const atMs = now();
  const state = stateOf(movie, atMs);
  const ignored = movie.quirks.some(({ effect }) => effect === 'ignore_cancel');
  if (state.endedMs !== null || ignored) return { movie, state };
  const canceled: MovieState = { ...state, status: 'canceled', updatedMs: atMs, endedMs: atMs };
  movies.advance(movie.id, canceled);
  outbox.withdraw(movie.id, atMs);
  outbox.announce(movie, canceled);
  return { movie, state: canceled };
}
