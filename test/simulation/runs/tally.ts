import { type Counts, count } from '../coverage.js';
import type { Simulated, Simulator } from '../simulate.js';
import { replayCommand, shrink } from './shrink.js';

/** Seeds in a row, as a process is given them. */
export interface Stretch {
  readonly from: number;
  readonly seeds: number;
}

/** What became of a stretch; goes from process to process. */
export interface Tally {
  readonly seeds: number;
  readonly counts: readonly (readonly [string, number])[];
  /** For a person, an entry for each seed that failed. */
  readonly failed: readonly (readonly string[])[];
}

/** Runs seeds, and shrinks those that fail. */
export async function runStretch(simulator: Simulator, { from, seeds }: Stretch): Promise<Tally> {
  const counts: Counts = new Map();
  const failed: (readonly string[])[] = [];
  for (let seed = from; seed < from + seeds; seed += 1) {
    const run = await simulator.run({ seed });
    for (const [name, times] of run.counts) count(counts, name, times);
    if (run.broken.length === 0) continue;
    const least = await shrink((options) => simulator.run(options), run);
    failed.push([...report(least), replayCommand(least)]);
  }
  return { seeds, counts: [...counts], failed };
}

/** For a person: the faults that a run met, and the promises that it broke. */
export function report({ seed, broken, faults, steps }: Simulated): readonly string[] {
  return [
    ...faults.map(({ number, kind, where }) => `fault ${number}: ${kind} (${where})`),
    `seed ${seed}: ${steps} steps, ${faults.length} faults`,
    ...broken.slice(0, 20).map((promise) => `  broken: ${promise}`),
  ];
}
