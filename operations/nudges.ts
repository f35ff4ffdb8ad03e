import { setTimeout as sleep } from 'node:timers/promises';
import { nudgeMovies } from '../ledger/progress/wake-followers.js';
import type { OperationDeps } from './deps.js';

/** Receives the movie service's events, and makes the workers poll. */
export interface Nudges {
  /** Polls the movie now. Neither waits nor fails: polling finds what gets lost here. */
  tell(movieId: string): void;
  /** Passes on what was received, and accepts nothing more. */
  close(): Promise<void>;
}

export interface NudgeOptions {
  /** How long a burst is collected before the ledger is queried. */
  readonly gatherMs?: number;
}

export type NudgeDeps = Pick<OperationDeps, 'ledger' | 'clock' | 'workflows'>;

const maxAtOnce = 1_000;
/** Grows each time, so that a sender that repeats an event for a week causes twenty polls, not a full history. */
const firstPauseMs = 1_000;
const moviesRemembered = 10_000;

interface Heard {
  readonly atMs: number;
  /** How long further events of the movie are ignored. A movie ends once: more events are copies, noise or malice. */
  readonly pauseMs: number;
}

/**
 * Makes the follower poll a movie at once when an event about it arrives: the event's content is never believed. Bursts
 * are merged, and a follower that is awake is not woken.
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
    heard.delete(movieId); // so that the least recent one comes first
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
      if (closed || waiting.size >= maxAtOnce || isNoise(movieId)) return;
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
