/** How late the ends of movies are seen, and by how many polls, where estimates are wrong: simulated, without a clock. */
import { pollingCases, runCase } from './polling-cases.js';
import { line, table } from './report.js';

const sizes = [
  { movies: 1_000, inFlight: 100 },
  { movies: 500, inFlight: 500 },
  { movies: 6, inFlight: 6 },
] as const;

export async function benchPolling(): Promise<void> {
  const rows = pollingCases.map((one) => [
    one.name + (one.beyondTargets ? ' (beyond what a policy can tell)' : ''),
    ...sizes.map((size) => {
      const { pollsPerMovie, lateP50, lateP90 } = runCase(one, { ...size, saysWhen: true, seed: 1 });
      return `${pollsPerMovie.toFixed(1)}, ${percent(lateP50)}, ${percent(lateP90)}`;
    }),
  ]);
  const heads = sizes.map(({ movies, inFlight }) => `${movies} movies, ${inFlight} in flight: polls, late p50, p90`);
  table(['estimates', ...heads], rows);
  line('late: beyond a second, as a share of the movie; of hundreds of movies p90 at most 15 %, at most 6 polls each');
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}
