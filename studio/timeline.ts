import type { MovieStatus } from '../api/contract.js';

/** What a reader of the movie sees at one moment. */
export interface MovieState {
  readonly status: MovieStatus;
  readonly percent: number;
  readonly updatedMs: number;
  /** Null while the job runs. */
  readonly endedMs: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export type WorkingStatus = 'queued' | 'planning' | 'generating' | 'rendering';

/** The order of the working states, and the share of the job's time at which each begins. */
const beginsAt: readonly (readonly [WorkingStatus, number])[] = [
  ['queued', 0],
  ['planning', 0.05],
  ['generating', 0.15],
  ['rendering', 0.6],
];

export function rankOf(status: string): number {
  return beginsAt.findIndex(([name]) => name === status);
}

/** A job whose progress is nothing but time: it costs nothing to have a million of them. */
export interface TimedJob {
  readonly createdMs: number;
  readonly jobMs: number;
  /** Goes no further than this. */
  readonly stuckAt: WorkingStatus | null;
  /** Fails when it would begin this state. */
  readonly failure: { readonly at: WorkingStatus; readonly code: string; readonly message: string } | null;
}

/**
 * queued, planning, generating, rendering, completed, each at its share of the job's time. A pure function of the
 * job and the clock, so that a clock which jumps six hours finds the job where six hours would have brought it.
 */
export function stateAt(job: TimedJob, nowMs: number): MovieState {
  let state: MovieState = { status: 'queued', percent: 0, updatedMs: job.createdMs, endedMs: null, error: null };
  for (const change of changesOf(job)) if (change.updatedMs <= nowMs) state = change;
  if (state.endedMs !== null || job.jobMs === 0) return state;
  const percent = Math.floor((100 * (nowMs - job.createdMs)) / job.jobMs);
  return { ...state, percent: Math.max(state.percent, Math.min(percent, lastPercentOf(job))) };
}

/** Every change that the job will go through, in order. */
export function changesOf(job: TimedJob): readonly MovieState[] {
  const changes: MovieState[] = [];
  for (const [status, share] of beginsAt) {
    const updatedMs = job.createdMs + Math.floor(job.jobMs * share);
    const percent = Math.round(share * 100);
    if (job.failure?.at === status) {
      const { code, message } = job.failure;
      return [...changes, { status: 'failed', percent, updatedMs, endedMs: updatedMs, error: { code, message } }];
    }
    changes.push({ status, percent, updatedMs, endedMs: null, error: null });
    if (job.stuckAt === status) return changes;
  }
  const endedMs = job.createdMs + job.jobMs;
  return [...changes, { status: 'completed', percent: 100, updatedMs: endedMs, endedMs, error: null }];
}

function lastPercentOf({ stuckAt }: TimedJob): number {
  const next = stuckAt === null ? undefined : beginsAt[rankOf(stuckAt) + 1];
  return next ? Math.round(next[1] * 100) - 1 : 99;
}
