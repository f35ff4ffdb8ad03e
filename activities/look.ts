import type { Movie } from '../api/contract.js';
import { ConnectionError, ContractError, MovieApiError } from '../api/errors.js';
import { nextLookMs } from '../domain/polling.js';
import type { DueRow } from '../ledger/progress/due-rows.js';
import type { Poll } from '../ledger/progress/polls.js';
import type { ActivityDeps } from './deps.js';

/** Asks about one movie, or tells the service to cancel it where a person decided so. */
export async function look(deps: ActivityDeps, row: DueRow, signal: AbortSignal): Promise<Poll> {
  const { api, clock, polling } = deps;
  const { rowKey, movieId } = row;
  const next = (percent: number | null) =>
    clock() +
    nextLookMs(
      { ageMs: clock() - row.orderedAtMs, expectedMs: row.runtimeSeconds * 1_000, percent, jitter: Math.random() },
      polling,
    );
  try {
    const movie = row.cancelDue ? await api.cancelMovie(movieId, { signal }) : await api.getMovie(movieId, { signal });
    return {
      kind: 'answered',
      rowKey,
      movieId,
      status: movie.status,
      percent: movie.progress?.percent ?? null,
      stage: movie.progress?.stage ?? null,
      error: errorOf(movie),
      cancelSent: row.cancelDue,
      followAtMs: next(movie.progress?.percent ?? null),
    };
  } catch (error) {
    signal.throwIfAborted();
    return { kind: 'unanswered', rowKey, movieId, alarm: alarmOf(error), followAtMs: retryAtMs(error) ?? next(null) };
  }

  function retryAtMs(error: unknown): number | null {
    const asked = error instanceof MovieApiError ? error.retryAfterMs : null;
    return asked === null ? null : clock() + asked;
  }
}

function errorOf(movie: Movie): { readonly code: string; readonly message: string } | null {
  return movie.error ? { code: movie.error.code, message: movie.error.message } : null;
}

function alarmOf(error: unknown): string {
  if (error instanceof MovieApiError) return `the service answered ${error.status} ${error.code ?? ''}`.trimEnd();
  if (error instanceof ContractError || error instanceof ConnectionError) return error.message;
  throw error;
}
