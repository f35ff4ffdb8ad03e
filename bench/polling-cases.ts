/** Movies whose estimates are wrong in the ways that are met: drawn, each draw from the same seed. */
import type { RunTime } from '../domain/run-times.js';
import { type SimulatedLooks, type SimulatedMovie, simulate } from './polling-simulation.js';

export interface PollingCase {
  readonly name: string;
  /** @param part how far the batch is, from 0 to 1 */
  readonly movie: (random: () => number, part: number) => SimulatedMovie;
  readonly percentAt?: (movie: SimulatedMovie, ageMs: number) => number;
  /** Where the times differ so much that no policy can keep to the targets without a percent. */
  readonly beyondTargets?: true;
}

const minute = 60_000;
const nearly = (random: () => number, ms: number) => ms * (1 + 0.05 * normal(random));
const lognormal = (random: () => number, sigma: number) => minute * Math.exp(sigma * normal(random));
const spread = (random: () => number) => 5_000 + 145_000 * random();
/** Movies of 5 to 150 s, each with an estimate that its own time decides. */
const estimatedBy =
  (estimateMs: (tookMs: number) => number): PollingCase['movie'] =>
  (random) => {
    const tookMs = spread(random);
    return { expectedMs: estimateMs(tookMs), tookMs };
  };

export const pollingCases: readonly PollingCase[] = [
  { name: 'estimates right, 30 s', movie: () => ({ expectedMs: 30_000, tookMs: 30_000 }) },
  { name: '3 times too long, movies of 20 s', movie: () => ({ expectedMs: minute, tookMs: 20_000 }) },
  { name: '10 times too long', movie: () => ({ expectedMs: 5 * minute, tookMs: 30_000 }) },
  { name: '3 times too short, movies of a minute', movie: () => ({ expectedMs: 20_000, tookMs: minute }) },
  { name: '10 times too short', movie: () => ({ expectedMs: 6_000, tookMs: minute }) },
  { name: 'none, movies of 90 s', movie: () => ({ expectedMs: 0, tookMs: 90_000 }) },
  { name: 'three times too long, movies of 20 min', movie: () => ({ expectedMs: 60 * minute, tookMs: 20 * minute }) },
  { name: 'right, 5 to 150 s', movie: estimatedBy((ms) => ms) },
  { name: 'right to the second, 5 to 150 s', movie: estimatedBy((ms) => Math.round(ms / 1_000) * 1_000) },
  { name: 'twice too long, 5 to 150 s', movie: estimatedBy((ms) => 2 * ms) },
  { name: '3 times too short, to the second, 5 to 150 s', movie: estimatedBy((ms) => Math.round(ms / 3_000) * 1_000) },
  { name: '10 times too short, to the second, 5 to 150 s', movie: estimatedBy((ms) => Math.ceil(ms / 10_000) * 1_000) },
  { name: 'off by a third (lognormal)', movie: (random) => ({ expectedMs: minute, tookMs: lognormal(random, 0.3) }) },
  {
    name: 'two kinds: a third, and twice the estimate',
    movie: (random) => ({ expectedMs: minute, tookMs: nearly(random, random() < 0.5 ? 20_000 : 2 * minute) }),
  },
  {
    name: 'long tail (Pareto)',
    movie: (random) => ({ expectedMs: 30_000, tookMs: 20_000 / Math.sqrt(1 - random()) }),
  },
  {
    name: 'slows down by ten halfway',
    movie: (random, part) => ({ expectedMs: 20_000, tookMs: nearly(random, part < 0.5 ? 20_000 : 200_000) }),
  },
  {
    name: 'gets ten times as fast halfway',
    movie: (random, part) => ({ expectedMs: 200_000, tookMs: nearly(random, part < 0.5 ? 200_000 : 20_000) }),
  },
  {
    name: 'off by 80 % (lognormal)',
    movie: (random) => ({ expectedMs: minute, tookMs: lognormal(random, 0.8) }),
    beyondTargets: true,
  },
  {
    name: 'off by 80 %, with an honest percent',
    movie: (random) => ({ expectedMs: minute, tookMs: lognormal(random, 0.8) }),
    percentAt: ({ tookMs }, ageMs) => Math.floor((100 * ageMs) / tookMs),
    beyondTargets: true,
  },
  {
    name: 'always a minute, movies of 5 to 150 s',
    movie: (random) => ({ expectedMs: minute, tookMs: spread(random) }),
    beyondTargets: true,
  },
  {
    name: 'off by a third, and a percent that stays at 50',
    movie: (random) => ({ expectedMs: minute, tookMs: lognormal(random, 0.3) }),
    percentAt: () => 50,
  },
];

export interface CaseRun {
  readonly movies: number;
  readonly inFlight: number;
  readonly saysWhen: boolean;
  readonly seed: number;
  readonly known?: readonly RunTime[];
}

export function runCase({ movie, percentAt }: PollingCase, { movies: count, seed, ...how }: CaseRun): SimulatedLooks {
  const random = drawing(seed);
  const movies = Array.from({ length: count }, (_, index) => movie(random, index / count));
  return simulate({ movies, random, ...(percentAt && { percentAt }), ...how });
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
export function drawing(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
