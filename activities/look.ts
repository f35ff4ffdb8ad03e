import { ConnectionError, ContractError, MovieApiError } from '../api/errors.js';
import { type MovieState, readMovieState } from '../api/movie-state.js';
import { lotOf, type MovieProgress, nextLookMs } from '../domain/polling.js';
import { type RunTime, runTimeOf } from '../domain/run-times.js';
import type { DueRow } from '../ledger/progress/due-rows.js';
import type { Poll } from '../ledger/progress/polls.js';
import type { ActivityDeps } from './deps.js';
import type { Pace } from './pace.js';

interface Look {
  readonly pace: Pace;
  /** Ends the look without a word. */
  readonly signal: AbortSignal;
  /** From then on the service counts as one that does not answer. */
  readonly enough?: AbortSignal;
}

/** Asks about one movie, or tells the service to cancel it where a person decided so. */
export async function look(
  deps: Pick<ActivityDeps, 'api' | 'clock' | 'polling'>,
  row: DueRow,
  { pace, signal, enough }: Look,
): Promise<Poll> {
  const { api, clock, polling } = deps;
  const { rowKey, movieId } = row;
  const next = (percent: number | null) => {
    const nowMs = clock();
    return nowMs + nextLookMs({ ...progressOf(row, nowMs, pace), percent }, polling);
  };
  const asked = { signal: enough ? AbortSignal.any([signal, enough]) : signal };
  try {
    const movie = row.cancelDue ? await api.cancelMovie(movieId, asked) : await api.getMovie(movieId, asked);
    return answered(readMovieState(movie, movieId), null);
  } catch (error) {
    signal.throwIfAborted();
    if (enough?.aborted && error instanceof ConnectionError)
      return unanswered('the service cannot be reached: it did not answer in time', error);
    // What breaks the interface beside the status must not hide that a movie is finished.
    const state = error instanceof ContractError ? readMovieState(error.body, movieId) : null;
    if (state) return answered(state, alarmOf(error));
    return unanswered(alarmOf(error), error);
  }

  function unanswered(alarm: string, error: unknown): Poll {
    return { kind: 'unanswered', rowKey, movieId, alarm, followAtMs: retryAtMs(error) ?? next(null) };
  }

  function answered(state: MovieState | null, alarm: string | null): Poll {
    const { status = '', percent = null, stage = null, error = null, tookMs = null } = state ?? {};
    const cancelSent = row.cancelDue;
    return {
      ...{ kind: 'answered', rowKey, movieId, status, percent, stage, error, alarm, cancelSent },
      ...(status === 'completed' && { runTime: runTime(row, { seenAtMs: clock(), saidMs: tookMs }) }),
      followAtMs: next(percent),
    } as const;
  }

  function retryAtMs(error: unknown): number | null {
    const asked = error instanceof MovieApiError ? error.retryAfterMs : null;
    return asked === null ? null : clock() + asked;
  }
}

/** A movie as the policy of polling sees it. */
export function progressOf(row: DueRow, nowMs: number, pace: Pace): MovieProgress {
  const { orderedAtMs, runtimeSeconds, percent, rowKey } = row;
  const expectedMs = runtimeSeconds * 1_000;
  return {
    ...{ ageMs: Math.max(nowMs - orderedAtMs, 0), expectedMs, percent, lot: lotOf(rowKey), jitter: Math.random() },
    ...pace,
  };
}

function runTime(
  { orderedAtMs, lookedAtMs, runtimeSeconds, percent }: DueRow,
  { seenAtMs, saidMs }: { readonly seenAtMs: number; readonly saidMs: number | null },
): RunTime | null {
  return runTimeOf({
    ...{ expectedMs: runtimeSeconds * 1_000, percent, saidMs, seenMs: seenAtMs - orderedAtMs },
    lastLookMs: lookedAtMs === null ? null : lookedAtMs - orderedAtMs,
  });
}

function alarmOf(error: unknown): string {
  if (error instanceof MovieApiError) return refusalWords(error);
  if (error instanceof ConnectionError) return unreachedWords(error);
  if (error instanceof ContractError) return error.message;
  throw error;
}

/** To whoever reads it, the service is away, whatever was about to be asked of it. */
function unreachedWords({ message }: ConnectionError): string {
  const why = message.replace(/^Cannot [^:]+: /, '').replace(/; nothing was sent$/, '');
  return `the service cannot be reached: ${why}`;
}

function refusalWords({ status, code, requestId }: MovieApiError): string {
  const request = requestId === null ? '' : ` (request ${requestId})`;
  return `the service answered ${status}${code === null ? '' : ` ${code}`}${request}`;
}
