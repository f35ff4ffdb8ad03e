import { setTimeout as sleep } from 'node:timers/promises';
import { nudgeMovies } from '../ledger/progress/wake-followers.js';
import type { OperationDeps } from './deps.js';

/** Takes what the movie service tells of its movies, and has the workers look. */
export interface Nudges {
  /** The movie is worth a look now. Neither waits nor fails: what gets lost here, polling finds. */
  tell(movieId: string): void;
  /** Passes on what was told, and takes nothing more. */
  close(): Promise<void>;
}

export interface NudgeOptions {
  /** How long a burst is gathered before the ledger is asked. */
  readonly gatherMs?: number;
}

export type NudgeDeps = Pick<OperationDeps, 'ledger' | 'clock' | 'workflows'>;

const mostAtOnce = 1_000;
/** Longer each time, so that whoever repeats himself for a week is heard twenty times, not until a history is full. */
const firstPauseMs = 1_000;
const moviesRemembered = 10_000;

interface Heard {
  readonly atMs: number;
  /** For how long nothing more is heard of the movie. A movie ends once: more events are copies, noise or malice. */
  readonly pauseMs: number;
}

/**
 * A movie of which the service tells something is looked at by its follower at once, as at any other time: what was
 * told is never believed. Bursts are merged, and a follower that is awake is not woken.
 */
export function createNudges({ ledger, clock, workflows }: NudgeDeps, { gatherMs = 100 }: NudgeOptions = {}): Nudges {
  const waiting = new Set<string>();
  const heard = new Map<string, Heard>();
  let passing: Promise<void> | undefined;
  let closed = false;

  function isNoise(movieId: string): boolean {
    const last = heard.get(movieId);
    const nowMs = clock();
    if (last && nowMs < last.atMs + last.pauseMs) return true;
    heard.delete(movieId); // so that the one heard of least recently comes first
    heard.set(movieId, { atMs: nowMs, pauseMs: last ? last.pauseMs * 2 : firstPauseMs });
    const [oldest] = heard.keys();
    if (heard.size > moviesRemembered && oldest !== undefined) heard.delete(oldest);
    return false;
  }

  async function passOn(): Promise<void> {
    while (waiting.size > 0) {
      await sleep(gatherMs);
      const movieIds = [...waiting];
      waiting.clear();
      const asleep = await nudgeMovies(ledger, { movieIds, nowMs: clock() }).catch(() => []); // the ledger is away
      await Promise.all(asleep.map(({ batchId, slice }) => workflows.nudgeSlice(batchId, slice)));
    }
  }

  return {
    tell(movieId) {
      if (closed || waiting.size >= mostAtOnce || isNoise(movieId)) return;
      waiting.add(movieId);
      passing ??= passOn().finally(() => {
        passing = undefined;
      });
    },
    async close() {
      closed = true;
      await passing;
    },
  };
}
