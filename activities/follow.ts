import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { nextLookMs } from '../domain/polling.js';
import {
  type DueRow,
  dueRows,
  endsAfter,
  lookSooner,
  type SliceEnds,
  setWakeUp,
  waitingRows,
} from '../ledger/progress/due-rows.js';
import { type Poll, recordPolls } from '../ledger/progress/polls.js';
import type { Activities, Ends } from './activities.js';
import type { ActivityDeps } from './deps.js';
import { notReady } from './failures.js';
import { withHeartbeats } from './heartbeats.js';
import { look, progressOf } from './look.js';
import { createPace, type PaceOf } from './pace.js';
import type { Save } from './saver.js';
import { tellPoll } from './tell.js';
import { saveTrickle } from './trickle.js';

/** Polls side by side of one slice. */
const maxConcurrentPolls = 16;
/** An attempt ends by itself well within its time limit, also when some row is always due. */
const attemptMs = 30_000;

/** To forget one costs a look at its rows. */
const slicesRemembered = 1_000;

/** A slice reads the ledger again after this long at the latest: a wake-up that was lost costs a minute, not hours. */
const longestSleepMs = 60_000;

interface Turn {
  readonly batchId: string;
  readonly slice: number;
  readonly seen: number;
  readonly pace: PaceOf;
  readonly save: Save;
  /** What the planned looks of the slice were planned by; see `RunTimes`. */
  readonly plannedBy: Map<string, string>;
  readonly signal: AbortSignal;
}

/**
 * The follower of a slice: asks the service about every running row that is due, records what it learned in one
 * transaction, and answers when rows ended after the end number that the workflow has seen.
 *
 * One row's trouble delays that row alone. A fresh attempt in the same process ends the one before it.
 */
export function createFollow(deps: ActivityDeps, save: Save): Activities['follow'] {
  const newest = new Map<string, AbortController>();
  const plannedBy = new Map<string, string>();
  const pace = createPace(deps);
  return async (batchId, slice, seen) => {
    const key = `${batchId} ${slice}`;
    newest.get(key)?.abort();
    const mine = new AbortController();
    newest.set(key, mine);
    try {
      return await withHeartbeats((cancelled) =>
        follow(deps, {
          ...{ batchId, slice, seen, pace, save, plannedBy },
          signal: AbortSignal.any([cancelled, mine.signal]),
        }),
      );
    } finally {
      if (newest.get(key) === mine) newest.delete(key);
    }
  };
}

async function follow(deps: ActivityDeps, turn: Turn): Promise<Ends> {
  const { ledger, clock, pacing } = deps;
  const { batchId, slice, seen, signal } = turn;
  const startedAtMs = performance.now();
  const isTired = () => performance.now() - startedAtMs > attemptMs;
  for (;;) {
    await lookAtDueRows(deps, turn);
    await planAgain(deps, turn);
    const ends = await endsAfter(ledger, { batchId, slice, seen });
    if (ends.ended.length > 0) return isTired() ? answerOf(ends) : gathered(deps, turn, isTired);
    signal.throwIfAborted();
    const nowMs = clock();
    const waitMs = ends.nextDueAtMs === null ? Number.POSITIVE_INFINITY : ends.nextDueAtMs - nowMs;
    if (waitMs > pacing.patienceMs || isTired()) {
      const delayMs = Math.min(Math.max(waitMs, 1), deps.polling.ceilingMs, longestSleepMs);
      const asleep = await setWakeUp(ledger, { batchId, slice, wakeAtMs: nowMs + delayMs });
      if (asleep || isTired()) throw notReady('no row of the slice ended yet', delayMs);
      continue;
    }
    // Rows ordered meanwhile may be due sooner than what we saw: never sleep past the floor of polling.
    if (waitMs > 0) await sleep(Math.min(waitMs, deps.polling.floorMs), undefined, { signal });
  }
}

/** Rows that end within a moment of each other are answered together. */
async function gathered(deps: ActivityDeps, turn: Turn, isTired: () => boolean): Promise<Ends> {
  const { gatherMs, trickleMs } = deps.pacing;
  if (gatherMs > 0) {
    await sleep(gatherMs, undefined, { signal: turn.signal });
    await lookAtDueRows(deps, turn);
  }
  if (trickleMs > 0 && !isTired()) {
    const look = async () => {
      await lookAtDueRows(deps, turn);
      await planAgain(deps, turn);
    };
    await saveTrickle(deps, { ...turn, look });
  }
  return answerOf(await endsAfter(deps.ledger, turn));
}

function answerOf({ ended, seen }: SliceEnds): Ends {
  return {
    ended: ended.map(({ rowKey, state }) => ({ rowKey, next: state === 'completed' ? 'archive' : 'settled' })),
    seen,
  };
}

/** Ends of other movies, seen here or by another follower, may have taught that looks are planned too late. */
async function planAgain(deps: ActivityDeps, { batchId, slice, pace, plannedBy }: Turn): Promise<void> {
  const { ledger, clock, polling } = deps;
  const known = await pace(batchId);
  const key = `${batchId} ${slice}`;
  if (plannedBy.get(key) === known.learned.signature) return;
  if (plannedBy.size >= slicesRemembered) plannedBy.clear();
  plannedBy.set(key, known.learned.signature);
  if (known.learned.ended === 0) return;
  const rows = await waitingRows(ledger, { batchId, slice });
  const looks = rows.map((row) => {
    // As if planned at the last look: of what happened since then nothing is known.
    const fromMs = row.lookedAtMs ?? row.orderedAtMs;
    const followAtMs = fromMs + nextLookMs(progressOf(row, fromMs, known), polling);
    return { batchId, rowKey: row.rowKey, followAtMs: Math.max(followAtMs, clock()) };
  });
  await lookSooner(ledger, looks);
}

/** What was answered is recorded, also where other looks are given up or the attempt ends. */
async function lookAtDueRows(deps: ActivityDeps, { batchId, slice, pace, signal }: Turn): Promise<void> {
  const limit = pLimit(maxConcurrentPolls);
  const rows = await dueRows(deps.ledger, { batchId, slice, nowMs: deps.clock(), limit: 200 });
  if (rows.length === 0) return;
  const enough = new AbortController();
  const timer = setTimeout(() => enough.abort(), deps.pacing.looksMs);
  const polls: Poll[] = [];
  const ask = async (row: DueRow) => {
    if (enough.signal.aborted) return; // it is the first of the next page
    polls.push(await look(deps, row, { pace: await pace(batchId), signal, enough: enough.signal }));
  };
  try {
    await Promise.all(rows.map((row) => limit(ask, row)));
  } finally {
    clearTimeout(timer);
    const answered = polls.splice(0); // where the attempt ends, others may still come
    if (answered.length > 0) await recordPolls(deps.ledger, { batchId, polls: answered });
    for (const poll of answered) tellPoll(deps, batchId, poll);
  }
}
