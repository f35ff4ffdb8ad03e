import { parseArgs } from 'node:util';
import { type Counts, count, expected } from './coverage.js';
import { openSandbox } from './sandbox.js';
import { replayCommand, shrink } from './shrink.js';
import { type Simulated, Simulator } from './simulate.js';

/*
 * npm run simulate -- --seeds 10000      runs as many seeds, and says what came up
 * npm run simulate -- --seed 7 --faults 12,40   runs one seed again, with these of its faults, and tells every step
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    faults: { type: 'string' },
    /** Ends after so many seeds that fail, and leaves them as they are. */
    'stop-after': { type: 'string' },
    /** Workflows that are bundled already. */
    bundle: { type: 'string' },
  },
});

const stopAfter = Number(values['stop-after'] ?? 0);
const simulator = await Simulator.open(await openSandbox(values.bundle));
try {
  if (values.seed === undefined) await many(Number(values.from), Number(values.seeds));
  else await one(Number(values.seed), values.faults);
} finally {
  await simulator.close();
}

async function one(seed: number, faults: string | undefined): Promise<void> {
  const only = faults === undefined ? null : faults === 'none' ? [] : faults.split(',').map(Number);
  const run = await simulator.run({ seed, only, askEvery: 1 });
  console.log(run.trace.join('\n'));
  report(run);
  if (run.broken.length > 0) process.exitCode = 1;
}

function report({ seed, broken, faults, steps }: Simulated): void {
  for (const { number, kind, where } of faults) console.log(`fault ${number}: ${kind} (${where})`);
  console.log(`seed ${seed}: ${steps} steps, ${faults.length} faults`);
  for (const promise of broken.slice(0, 20)) console.log(`  broken: ${promise}`);
}

async function many(from: number, seeds: number): Promise<void> {
  const startedMs = performance.now();
  const counts: Counts = new Map();
  let failures = 0;
  for (let seed = from; seed < from + seeds; seed += 1) {
    const run = await simulator.run({ seed });
    for (const [name, times] of run.counts) count(counts, name, times);
    if (run.broken.length === 0) continue;
    failures += 1;
    if (stopAfter > 0) console.log(`seed ${seed} failed: ${run.broken[0]}`);
    if (failures === stopAfter) return;
    if (stopAfter > 0) continue;
    const least = await shrink((options) => simulator.run(options), run);
    report(least);
    console.log(replayCommand(least));
  }
  const perSecond = (1_000 * seeds) / (performance.now() - startedMs);
  for (const [name, times] of [...counts].sort()) console.log(`${String(times).padStart(9)}  ${name}`);
  const missing = expected.filter((name) => !counts.has(name));
  if (missing.length > 0) console.log(`never came up: ${missing.join('; ')}`);
  console.log(`${seeds} seeds, ${failures} failed, ${perSecond.toFixed(1)} a second`);
  if (failures > 0 || missing.length > 0) process.exitCode = 1;
}
