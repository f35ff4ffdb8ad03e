/**
 * Movies through the whole product beside two peers in one run: the plain script (no durability at all) and a workflow
 * per movie with timer polling. All order from the same studio; each runs in a process of its own.
 */
import Table from 'cli-table3';
import { benchKey, startBenchStudio, startBenchTemporal } from './bench-services.js';
import { greenlight } from './greenlight.js';
import { cpuMsOf, type Measured, runMeasured } from './measured-process.js';
import type { PeerResult } from './peer-process.js';

interface Run {
  readonly name: string;
  readonly movies: number;
  readonly perSecond: number;
  /** Worker and Temporal server together. */
  readonly cpuMsPerMovie: number;
  readonly callsPerMovie: number;
  readonly peakMemoryMb: number;
  readonly eventsPerMovie: number | null;
  readonly bytesPerMovie: number | null;
}

interface Job {
  readonly movies: number;
  readonly jobSeconds: number;
  readonly inFlight: number;
}

export async function benchMovies(): Promise<void> {
  const short = { movies: 1_000, jobSeconds: 1, inFlight: 500 };
  const few = await greenlightRun({ ...short, movies: 200 });
  const plain = [await plainRun(short)];
  const thousand = [await greenlightRun(short)];
  const peer = await peerRun(short);
  thousand.push(await greenlightRun(short));
  plain.push(await plainRun(short));
  print('movies of 1 s, 500 in flight', [few, ...plain, ...thousand, peer]);
  say('against the plain script', together(thousand).perSecond / together(plain).perSecond, 'at least 0.45');
  say('against a workflow per movie', together(thousand).perSecond / peer.perSecond, 'at least 6');
  say('CPU a movie, 1,000 against 200', together(thousand).cpuMsPerMovie / few.cpuMsPerMovie, 'at most 1.1');

  const long = { movies: 1_000, jobSeconds: 30, inFlight: 500 };
  const [plainLong, greenlightLong] = [await plainRun(long), await greenlightRun(long)];
  print('movies of 30 s, 500 in flight', [plainLong, greenlightLong]);
  say('against the plain script', greenlightLong.perSecond / plainLong.perSecond, 'at least 0.92');

  const many = await greenlightRun({ ...short, movies: 5_000 });
  print('5,000 movies of 1 s', [many]);
}

/** Both scripts poll each second: what people write. */
const pollMs = 1_000;

async function plainRun(job: Job): Promise<Run> {
  const measured = await withStudio(job, (url) =>
    runMeasured<number>('plain-process.ts', { baseUrl: url, apiKey: benchKey, pollMs, ...job }),
  );
  return { ...figures('plain script', job, measured, 0), eventsPerMovie: null, bytesPerMovie: null };
}

async function peerRun(job: Job): Promise<Run> {
  return withTemporal(async ({ address, cpuMs }) => {
    const measured = await withStudio(job, (url) =>
      runMeasured<PeerResult>('peer-process.ts', { baseUrl: url, address, pollMs, ...job }),
    );
    const { makingMs, eventsPerMovie } = measured.result;
    const timed = { ...measured, result: makingMs };
    return { ...figures('a workflow per movie', job, timed, cpuMs()), eventsPerMovie, bytesPerMovie: null };
  });
}

async function greenlightRun(job: Job): Promise<Run> {
  return withTemporal(async ({ address, cpuMs }) => {
    const measured = await withStudio(job, (url) => greenlight({ baseUrl: url, address, ...job }));
    const { makingMs, events, historyBytes, delivered } = measured.result;
    if (delivered !== job.movies) throw new Error(`Cannot trust this run: ${delivered} of ${job.movies} delivered`);
    const timed = { ...measured, result: makingMs };
    return {
      ...figures(`Greenlight, ${job.movies}`, job, timed, cpuMs()),
      eventsPerMovie: events / job.movies,
      bytesPerMovie: historyBytes / job.movies,
    };
  });
}

type CountedRun = Measured<number> & { readonly calls: number };

async function withStudio<T>(
  job: Job,
  work: (url: string) => Promise<Measured<T>>,
): Promise<Measured<T> & { calls: number }> {
  const studio = await startBenchStudio(job.jobSeconds);
  try {
    const measured = await work(studio.url);
    const { downloadAsset: _, ...asked } = await studio.requests();
    return { ...measured, calls: Object.values(asked).reduce((sum, count) => sum + count, 0) };
  } finally {
    await studio.stop();
  }
}

async function withTemporal<T>(work: (server: { address: string; cpuMs: () => number }) => Promise<T>): Promise<T> {
  const server = await startBenchTemporal();
  const before = cpuMsOf(server.pid);
  try {
    return await work({ address: server.address, cpuMs: () => cpuMsOf(server.pid) - before });
  } finally {
    await server.stop();
  }
}

function figures(name: string, { movies }: Job, run: CountedRun, serverCpuMs: number) {
  return {
    ...{ name, movies, peakMemoryMb: run.peakMemoryMb },
    perSecond: (movies / run.result) * 1_000,
    cpuMsPerMovie: (run.cpuMs + serverCpuMs) / movies,
    callsPerMovie: run.calls / movies,
  };
}

/**
 * Runs of as many movies each, as one. A machine's speed drifts within a minute: what takes seconds is run on both
 * sides of the peer, which takes more than a minute.
 */
function together(runs: readonly Run[]): Pick<Run, 'perSecond' | 'cpuMsPerMovie'> {
  const mean = (of: (run: Run) => number) => runs.reduce((sum, run) => sum + of(run), 0) / runs.length;
  return { perSecond: 1 / mean((run) => 1 / run.perSecond), cpuMsPerMovie: mean((run) => run.cpuMsPerMovie) };
}

function print(title: string, runs: readonly Run[]): void {
  const table = new Table({
    head: [title, 'movies/s', 'CPU ms', 'calls', 'events', 'history bytes', 'peak MB'],
    style: { head: [], border: [] },
  });
  const figure = (value: number | null, digits: number) => (value === null ? '' : value.toFixed(digits));
  for (const run of runs) {
    table.push([
      `${run.name} (${run.movies})`,
      figure(run.perSecond, 0),
      figure(run.cpuMsPerMovie, 1),
      figure(run.callsPerMovie, 2),
      figure(run.eventsPerMovie, 1),
      figure(run.bytesPerMovie, 0),
      figure(run.peakMemoryMb, 0),
    ]);
  }
  process.stdout.write(`${table.toString()}\n`);
}

function say(what: string, value: number, target: string): void {
  process.stdout.write(`${what}: ${value.toFixed(2)} (${target})\n`);
}
