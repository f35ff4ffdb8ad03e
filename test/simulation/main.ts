import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Counts, count, missing } from './coverage.js';
import { rareClasses } from './fault-classes.js';
import { runJobs } from './runs/jobs.js';
import { report } from './runs/tally.js';
import { openSandbox, writeBundle } from './sandbox.js';
import { Simulator } from './simulate.js';

/*
 * npm run simulate -- --seeds 10000 --jobs 2   runs as many seeds in two processes, and says what came up
 * npm run simulate -- --seed 7 --faults 12,40   runs one seed again, with these of its faults, and tells every step
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    from: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '1' },
    seed: { type: 'string' },
    faults: { type: 'string' },
    /** Ends after so many seeds that fail, and leaves them as they are. */
    'stop-after': { type: 'string' },
    /** Workflows that are bundled already. */
    bundle: { type: 'string' },
  },
});
/** From so many seeds on, what never came up is a fault of the simulator. */
const largeRun = 2_000;
const [from, seeds] = [Number(values.from), Number(values.seeds)];

if (values.seed !== undefined) await opened((simulator) => one(simulator, Number(values.seed)));
else if (values['stop-after'] !== undefined)
  await opened((simulator) => untilFailed(simulator, Number(values['stop-after'])));
else await many();

async function opened(doing: (simulator: Simulator) => Promise<void>): Promise<void> {
  const simulator = await Simulator.open(await openSandbox(values.bundle));
  try {
    await doing(simulator);
  } finally {
    await simulator.close();
  }
}

async function one(simulator: Simulator, seed: number): Promise<void> {
  const { faults } = values;
  const only = faults === undefined ? null : faults === 'none' ? [] : faults.split(',').map(Number);
  const run = await simulator.run({ seed, only, askEvery: 1 });
  console.log([...run.trace, ...report(run)].join('\n'));
  if (run.broken.length > 0) process.exitCode = 1;
}

async function untilFailed(simulator: Simulator, most: number): Promise<void> {
  let failures = 0;
  for (let seed = from; seed < from + seeds; seed += 1) {
    const { broken } = await simulator.run({ seed });
    if (broken.length === 0) continue;
    console.log(`seed ${seed} failed: ${broken[0]}`);
    process.exitCode = 1;
    failures += 1;
    if (failures === most) return;
  }
  console.log(`${seeds} seeds, ${failures} failed`);
}

async function many(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'greenlight-simulate-'));
  try {
    const bundle = join(folder, 'workflows.js');
    await writeBundle(bundle);
    await tallied(bundle);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function tallied(bundle: string): Promise<void> {
  const startedMs = performance.now();
  const counts: Counts = new Map();
  let [done, failures] = [0, 0];
  const perSecond = () => ((1_000 * done) / (performance.now() - startedMs)).toFixed(1);
  await runJobs({ jobs: Number(values.jobs), bundle, from, seeds }, (_, tally) => {
    done += tally.seeds;
    failures += tally.failed.length;
    for (const [name, times] of tally.counts) count(counts, name, times);
    for (const lines of tally.failed) console.log(lines.join('\n'));
    if (done % 500 === 0) console.log(`${done} seeds, ${failures} failed, ${perSecond()} a second`);
  });
  for (const [name, times] of [...counts].sort()) console.log(`${String(times).padStart(9)}  ${name}`);
  const never = missing(counts);
  if (never.length > 0) console.log(`never came up: ${never.join('; ')}`);
  const rare = rareClasses(counts, seeds);
  if (rare.length > 0) console.log(`drawn less than once in ten seeds: ${rare.join('; ')}`);
  console.log(`${seeds} seeds, ${failures} failed, ${perSecond()} a second`);
  // Few seeds say little about what comes up.
  if (failures > 0 || (seeds >= largeRun && never.length + rare.length > 0)) process.exitCode = 1;
}
