/** How late the ends of movies are seen, and by how many polls, where estimates are wrong: simulated, without a clock. */
import Table from 'cli-table3';
import { pollingCases, runCase } from './polling-cases.js';

const sizes = [
  { movies: 1_000, inFlight: 100 },
  { movies: 500, inFlight: 500 },
  { movies: 6, inFlight: 6 },
] as const;

export async function benchPolling(): Promise<void> {
  const table = new Table({
    head: [
      'estimates',
      ...sizes.map(({ movies, inFlight }) => `${movies}, ${inFlight} in flight: polls, late p50, p90`),
    ],
    style: { head: [], border: [] },
  });
  for (const one of pollingCases) {
    const cells = sizes.map((size) => {
      const { pollsPerMovie, lateP50, lateP90 } = runCase(one, { ...size, saysWhen: true, seed: 1 });
      return `${pollsPerMovie.toFixed(1)}  ${percent(lateP50)}  ${percent(lateP90)}`;
    });
    table.push([one.name, ...cells]);
  }
  process.stdout.write(`${table.toString()}\n`);
  process.stdout.write(
    'late: beyond a second, as a share of the movie; target: p90 at most 15 %, at most 6 polls a movie\n',
  );
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}
