/** The policy of polling by itself, in pure arithmetic: no clock, no service, the same figures each time. */
import { lotOf, nextLookMs } from '../domain/polling.js';
import { learnRunTimes, type RunTime, type RunTimes, runTimeOf, runTimesKept } from '../domain/run-times.js';

export interface SimulatedMovie {
  readonly expectedMs: number;
  readonly tookMs: number;
}

export interface Simulation {
  readonly movies: readonly SimulatedMovie[];
  readonly inFlight: number;
  /** What the service shows at an age; nothing without it. */
  readonly percentAt?: (movie: SimulatedMovie, ageMs: number) => number | null;
  /** The service's own times tell when a movie ended. */
  readonly saysWhen?: boolean;
  /** What earlier batches taught, the newest first. */
  readonly known?: readonly RunTime[];
  readonly random: () => number;
}

export interface SimulatedLooks {
  readonly pollsPerMovie: number;
  /** How late the end was seen beyond a second, as a share of the movie's own time: half of the movies, and nine in ten. */
  readonly lateP50: number;
  readonly lateP90: number;
}

interface Running {
  readonly movie: SimulatedMovie;
  readonly startMs: number;
  readonly lot: number;
  lastLookMs: number | null;
  percent: number | null;
  dueMs: number;
}

const maxOrdersPerSecond = 150;

/** Runs movies through the policy as a follower does: due looks in order, and looks that move when something was learned. */
export function simulate({ movies, inFlight, known = [], random, ...service }: Simulation): SimulatedLooks {
  let sample = [...known];
  let learned: RunTimes = learnRunTimes(sample);
  let planned = learned.signature;
  let nowMs = 0;
  let polls = 0;
  const running: Running[] = [];
  const late: number[] = [];
  const queue = movies.entries();

  const plan = (one: Running, ageMs: number) =>
    one.startMs +
    ageMs +
    nextLookMs({
      ...{ ageMs, expectedMs: one.movie.expectedMs, percent: one.percent, learned, inFlight: running.length },
      ...{ lot: one.lot, jitter: random() },
    });
  const order = () => {
    while (running.length < inFlight) {
      const next = queue.next().value;
      if (!next) return;
      const [index, movie] = next;
      const startMs = nowMs + (running.length * 1_000) / maxOrdersPerSecond;
      const one = { movie, startMs, lot: lotOf(`m-${index}`), lastLookMs: null, percent: null, dueMs: 0 };
      running.push(one);
      one.dueMs = plan(one, 0);
    }
  };
  const replan = () => {
    if (learned.signature === planned) return;
    planned = learned.signature;
    for (const one of running) one.dueMs = Math.min(one.dueMs, Math.max(nowMs, plan(one, one.lastLookMs ?? 0)));
  };
  const end = (one: Running, ageMs: number) => {
    const { expectedMs, tookMs } = one.movie;
    late.push(Math.max(0, ageMs - tookMs - 1_000) / tookMs);
    running.splice(running.indexOf(one), 1);
    const { lastLookMs, percent } = one;
    const saidMs = service.saysWhen ? tookMs : null;
    const taught = runTimeOf({ expectedMs, lastLookMs, seenMs: ageMs, percent, saidMs });
    if (taught) sample = [taught, ...sample].slice(0, runTimesKept);
    learned = learnRunTimes(sample);
  };

  for (order(); running.length > 0; order()) {
    const one = running.reduce((first, other) => (other.dueMs < first.dueMs ? other : first));
    nowMs = Math.max(nowMs, one.dueMs);
    const ageMs = nowMs - one.startMs;
    polls += 1;
    if (ageMs >= one.movie.tookMs) end(one, ageMs);
    else {
      one.percent = service.percentAt?.(one.movie, ageMs) ?? null;
      one.lastLookMs = ageMs;
      one.dueMs = plan(one, ageMs);
    }
    replan();
  }
  late.sort((a, b) => a - b);
  const part = (share: number) => late[Math.min(Math.floor(late.length * share), late.length - 1)] ?? 0;
  return { pollsPerMovie: polls / movies.length, lateP50: part(0.5), lateP90: part(0.9) };
}
