import type { Simulated, SimulationOptions } from '../simulate.js';

type Run = (options: SimulationOptions) => Promise<Simulated>;

/** More runs than this find little that the first ones did not. */
const mostRuns = 60;

/**
 * The same seed with the fewest faults that still break a promise: first half of them is left out, then a quarter, and
 * so on to single ones. What is left out changes the course of the rest, so every try is a run of its own.
 */
export async function shrink(run: Run, failed: Simulated): Promise<Simulated> {
  let best = failed;
  let runs = 0;
  for (let size = Math.ceil(best.faults.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < best.faults.length && runs < mostRuns;) {
      const numbers = best.faults.map(({ number }) => number);
      runs += 1;
      const tried = await run({ seed: failed.seed, only: numbers.toSpliced(from, size) });
      if (tried.broken.length > 0) best = tried;
      else from += size;
    }
  }
  return best;
}

/** What to type to see a run again. */
export function replayCommand({ seed, faults }: Simulated): string {
  const numbers = faults.map(({ number }) => number).join(',');
  return `npm run simulate -- --seed ${seed} --faults ${numbers === '' ? 'none' : numbers}`;
}
