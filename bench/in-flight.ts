/**
 * Movies that take hours: what it costs to have them in progress while none of them ends, and what a worker needs for
 * it. Polling is all that happens then; its looks become rarer with the age of a movie, up to one in 15 minutes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { countRows } from '../ledger/batches/rows.js';
import { startBenchStudio, startBenchTemporal } from './bench-services.js';
import { type Begun, whileMaking } from './greenlight.js';
import { cpuMsOf, peakMemoryMbOf } from './measured-process.js';
import { table, target } from './report.js';

/** Longer than any run of this. */
const jobSeconds = { from: 7_200, to: 7_200 };
const windowMs = 60_000;
const lookEveryMs = 500;

export async function benchInFlight({ movies }: { readonly movies: number }): Promise<void> {
  const studio = await startBenchStudio(jobSeconds);
  const server = await startBenchTemporal();
  try {
    const options = { baseUrl: studio.url, address: server.address, movies, inFlight: movies, jobSeconds };
    const idle = await whileMaking(options, (begun) => idleOf(begun, { movies, server: server.pid }));
    const perHour = (cpuMs: number) => (cpuMs / 1_000) * (3_600_000 / windowMs) * (1_000 / movies);
    table(
      ['in progress, none ends', 'all ordered after s', 'looks in a minute', 'CPU s of 1,000 an hour', 'peak MB'],
      [
        [
          String(movies),
          (idle.orderedMs / 1_000).toFixed(0),
          String(idle.looks),
          `${perHour(idle.workerMs).toFixed(1)} worker, ${perHour(idle.serverMs).toFixed(1)} Temporal`,
          idle.peakMemoryMb.toFixed(0),
        ],
      ],
    );
    const share = ((idle.workerMs + idle.serverMs) / windowMs) * (500 / movies) * 100;
    target({ what: 'of a core, by 500 movies', value: share, unit: ' %', atMost: 0.2 });
    target({ what: 'memory of the worker', value: idle.peakMemoryMb, unit: ' MB', atMost: 450 });
  } finally {
    await server.stop();
    await studio.stop();
  }
}

async function idleOf(
  { installation, batchId, worker, startedAt }: Begun,
  { movies, server }: { readonly movies: number; readonly server: number },
) {
  for (let running = 0; running < movies; await sleep(lookEveryMs)) {
    running = (await countRows(installation.ledger, batchId)).running ?? 0;
  }
  const orderedMs = performance.now() - startedAt;
  const [workerBefore, serverBefore, looksBefore] = [cpuMsOf(worker), cpuMsOf(server), await looksOf(installation)];
  await sleep(windowMs);
  return {
    ...{ orderedMs, workerMs: cpuMsOf(worker) - workerBefore, serverMs: cpuMsOf(server) - serverBefore },
    ...{ looks: (await looksOf(installation)) - looksBefore, peakMemoryMb: peakMemoryMbOf(worker) },
  };
}

async function looksOf({ ledger }: Begun['installation']): Promise<number> {
  const { polls } = await ledger.db
    .selectFrom('rows')
    .select((eb) => eb.fn.sum<number>('polls').as('polls'))
    .executeTakeFirstOrThrow();
  return Number(polls);
}
