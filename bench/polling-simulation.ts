/** The policy of polling by itself, in pure arithmetic: no clock, no service, the same figures each time. */
import { lotOf, nextLookMs } from '../domain/polling.js';
import { learnRunTimes, type RunTime, type RunTimes, runTimeOf, runTimesKept } from '../domain/run-times.js';
import { partOf } from './median.js';

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
  /** From the end to the look that saw it: half of the movies, and all but one in a hundred. */
  readonly seenAfterMsP50: number;
  readonly seenAfterMsP99: number;
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
export function simulate(simulation: Simulation): SimulatedLooks {
  const service = new SimulatedService(simulation);
  for (service.order(); service.isBusy; service.order()) service.look();
  return {
    pollsPerMovie: service.polls / service.late.length,
    lateP50: partOf(service.late, 0.5),
    lateP90: partOf(service.late, 0.9),
    seenAfterMsP50: partOf(service.seenAfterMs, 0.5),
    seenAfterMsP99: partOf(service.seenAfterMs, 0.99),
  };
}

class SimulatedService {
  polls = 0;
  readonly seenAfterMs: number[] = [];
  readonly late: number[] = [];
  readonly #simulation: Simulation;
  readonly #queue: IterableIterator<[number, SimulatedMovie]>;
  readonly #running: Running[] = [];
  #sample: readonly RunTime[];
  #learned: RunTimes;
  #plannedBy: string;
  #nowMs = 0;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
    this.#queue = simulation.movies.entries();
    this.#sample = simulation.known ?? [];
    this.#learned = learnRunTimes(this.#sample);
    this.#plannedBy = this.#learned.signature;
  }

  get isBusy(): boolean {
    return this.#running.length > 0;
  }

  /** As many as may be in flight. */
  order(): void {
    while (this.#running.length < this.#simulation.inFlight) {
      const next = this.#queue.next();
      if (next.done) return;
      const [index, movie] = next.value;
      const startMs = this.#nowMs + (this.#running.length * 1_000) / maxOrdersPerSecond;
      const one = { movie, startMs, lot: lotOf(`m-${index}`), lastLookMs: null, percent: null, dueMs: 0 };
      this.#running.push(one);
      one.dueMs = this.#plan(one, 0);
    }
  }

  /** At the movie that is due first. */
  look(): void {
    const one = this.#running.reduce((first, other) => (other.dueMs < first.dueMs ? other : first));
    this.#nowMs = Math.max(this.#nowMs, one.dueMs);
    const ageMs = this.#nowMs - one.startMs;
    this.polls += 1;
    if (ageMs >= one.movie.tookMs) this.#end(one, ageMs);
    else {
      one.percent = this.#simulation.percentAt?.(one.movie, ageMs) ?? null;
      one.lastLookMs = ageMs;
      one.dueMs = this.#plan(one, ageMs);
    }
    this.#planAgain();
  }

  #plan({ movie, startMs, percent, lot }: Running, ageMs: number): number {
    const waitMs = nextLookMs({
      ...{ ageMs, expectedMs: movie.expectedMs, percent, lot, jitter: this.#simulation.random() },
      ...{ learned: this.#learned, inFlight: this.#running.length },
    });
    return startMs + ageMs + waitMs;
  }

  #planAgain(): void {
    if (this.#learned.signature === this.#plannedBy) return;
    this.#plannedBy = this.#learned.signature;
    for (const one of this.#running) {
      one.dueMs = Math.min(one.dueMs, Math.max(this.#nowMs, this.#plan(one, one.lastLookMs ?? 0)));
    }
  }

  #end(one: Running, seenMs: number): void {
    const { movie, lastLookMs, percent } = one;
    const { expectedMs, tookMs } = movie;
    this.seenAfterMs.push(seenMs - tookMs);
    this.late.push(Math.max(0, seenMs - tookMs - 1_000) / tookMs);
    this.#running.splice(this.#running.indexOf(one), 1);
    const saidMs = this.#simulation.saysWhen ? tookMs : null;
    const taught = runTimeOf({ expectedMs, lastLookMs, seenMs, percent, saidMs });
    if (taught) this.#sample = [taught, ...this.#sample].slice(0, runTimesKept);
    this.#learned = learnRunTimes(this.#sample);
  }
}
