/**
 * Movies through the whole product beside two peers in one run: the plain script (no durability at all) and a workflow
 * per movie with timer polling. All order from the same studio; each runs in a process of its own.
 */
import { benchKey, startBenchStudio, startBenchTemporal } from './bench-services.js';
import { greenlight } from './greenlight.js';
import type { JobSeconds } from './job-lengths.js';
import { cpuMsOf, type Measured, runMeasured } from './measured-process.js';
import type { PeerResult } from './peer-process.js';
import { curve, table, target } from './report.js';

export interface Run {
  readonly name: string;
  readonly movies: number;
  readonly perSecond: number;
  /** Worker and Temporal server together. */
  readonly cpuMsPerMovie: number;
  readonly callsPerMovie: number;
  readonly peakMemoryMb: number;
  readonly eventsPerMovie: number | null;
  readonly bytesPerMovie: number | null;
  readonly pollsPerMovie?: number;
  /** From a movie's end at the service to its files here. */
  readonly savedMs?: { readonly p50: number; readonly p99: number };
}

export interface Job {
  readonly movies: number;
  readonly jobSeconds: JobSeconds;
  /** Estimates are so many times the real time; 1 where nothing else is said. */
  readonly estimatesBy?: number;
  readonly inFlight: number;
  /** Whether the service tells of each movie; otherwise it is only asked. */
  readonly webhooks?: boolean;
}

export async function benchMovies({ small }: { readonly small: boolean }): Promise<void> {
  await benchSpread(small);
  const short = { movies: small ? 400 : 1_000, jobSeconds: always(1), inFlight: 500 };
  const few = await greenlightRun({ ...short, movies: 200 });
  const plain = [await plainRun(short)];
  const thousand = [await greenlightRun(short)];
  if (small) return show('movies of 1 s, 500 in flight', [few, ...plain, ...thousand]);
  const peer = await peerRun(short);
  thousand.push(await greenlightRun(short));
  plain.push(await plainRun(short));
  show('movies of 1 s, 500 in flight', [few, ...plain, ...thousand, peer]);
  const both = together(thousand);
  target({ what: 'against the plain script', value: both.perSecond / together(plain).perSecond, atLeast: 0.6 });
  target({ what: 'against a workflow per movie', value: both.perSecond / peer.perSecond, atLeast: 6 });
  target({ what: 'CPU a movie', value: both.cpuMsPerMovie, unit: ' ms', atMost: 7 });
  target({ what: 'CPU a movie, 1,000 against 200', value: both.cpuMsPerMovie / few.cpuMsPerMovie, atMost: 1.1 });

  const long = { movies: 1_000, jobSeconds: always(30), inFlight: 500 };
  const [plainLong, greenlightLong] = [await plainRun(long), await greenlightRun(long)];
  show('movies of 30 s, 500 in flight', [plainLong, greenlightLong]);
  target({ what: 'against the plain script', value: greenlightLong.perSecond / plainLong.perSecond, atLeast: 0.92 });

  const many = await greenlightRun({ ...short, movies: 10_000 });
  show('10,000 movies of 1 s', [many]);
  target({ what: 'CPU a movie', value: many.cpuMsPerMovie, unit: ' ms', atMost: 6 });
  const growth = [few, ...thousand.slice(1), many];
  const points = (of: (run: Run) => number) => growth.map((run) => ({ x: run.movies, y: of(run) }));
  curve({ title: 'movies a second', points: points((run) => run.perSecond) });
  curve({ title: 'CPU ms a movie', points: points((run) => run.cpuMsPerMovie), limit: 7 });
  curve({ title: 'peak memory of the worker, MB', points: points((run) => run.peakMemoryMb), limit: 450 });
}

/** What is met in the field: movies end one by one, and estimates are wrong. */
async function benchSpread(small: boolean): Promise<void> {
  const spread = { movies: small ? 150 : 1_000, jobSeconds: { from: 5, to: small ? 40 : 150 }, inFlight: 500 };
  await plainRun({ movies: 1, jobSeconds: always(1), inFlight: 1 }); // the studio draws its films for the first movie
  const jobs: readonly Job[] = [
    spread,
    { ...spread, estimatesBy: 3 },
    { ...spread, estimatesBy: 1 / 3 },
    { ...spread, webhooks: true },
  ];
  const runs: Run[] = [];
  for (const job of jobs) runs.push(await greenlightRun(job));
  const { from, to } = spread.jobSeconds;
  show(`movies of ${from} to ${to} s, 500 in flight`, runs);
  for (const [index, run] of runs.entries()) spreadTargets(run, jobs[index]?.webhooks ?? false);
}

function spreadTargets({ name, eventsPerMovie, pollsPerMovie, savedMs }: Run, isTold: boolean): void {
  target({ what: `${name}: events a movie`, value: eventsPerMovie ?? 0, atMost: isTold ? 4 : 3 });
  target({ what: `${name}: polls a movie`, value: pollsPerMovie ?? 0, atMost: 6 });
  if (!savedMs) return;
  const saved = (of: 'p50' | 'p99', atMost: number) =>
    target({ what: `${name}: seen and saved, ${of}`, value: savedMs[of] / 1_000, unit: ' s', atMost });
  saved('p50', isTold ? 0.5 : 1);
  saved('p99', 2);
}

function always(seconds: number): JobSeconds {
  return { from: seconds, to: seconds };
}

/** Both scripts poll each second: what people write. */
const pollMs = 1_000;

export async function plainRun(job: Job): Promise<Run> {
  const measured = await withStudio(job, (url) =>
    runMeasured<number>('plain-process.ts', { baseUrl: url, apiKey: benchKey, pollMs, ...job }),
  );
  return { ...figures('plain script', job, measured, 0), eventsPerMovie: null, bytesPerMovie: null };
}

export interface Peer {
  readonly name: string;
  /** A process of this folder, told the job with these. */
  readonly file: string;
  readonly serverUrl: string;
  /** What its server has used since it was started. */
  readonly serverCpuMs: () => Promise<number>;
}

/** A peer that counts no events. */
export async function runOf({ name, file, serverUrl, serverCpuMs }: Peer, job: Job): Promise<Run> {
  const measured = await withStudio(job, (url) =>
    runMeasured<number>(file, { baseUrl: url, serverUrl, pollMs, ...job }),
  );
  return { ...figures(name, job, measured, await serverCpuMs()), eventsPerMovie: null, bytesPerMovie: null };
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

export async function greenlightRun(job: Job): Promise<Run> {
  return withTemporal(async ({ address, cpuMs }) => {
    const measured = await withStudio(job, (url) => greenlight({ baseUrl: url, address, ...job }));
    const { makingMs, events, historyBytes, delivered, polls, savedMs } = measured.result;
    if (delivered !== job.movies) throw new Error(`Cannot trust this run: ${delivered} of ${job.movies} delivered`);
    const timed = { ...measured, result: makingMs };
    return {
      ...figures(nameOf(job), job, timed, cpuMs()),
      pollsPerMovie: polls / job.movies,
      savedMs,
      eventsPerMovie: events / job.movies,
      bytesPerMovie: historyBytes / job.movies,
    };
  });
}

function nameOf({ estimatesBy = 1, webhooks = false }: Job): string {
  if (webhooks) return 'Greenlight, told by webhooks';
  if (estimatesBy === 1) return 'Greenlight';
  return `Greenlight, estimates ${estimatesBy > 1 ? `${estimatesBy} times too long` : `${1 / estimatesBy} times too short`}`;
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

export function show(title: string, runs: readonly Run[]): void {
  const figure = (value: number | null | undefined, digits: number) =>
    value === null || value === undefined ? '' : value.toFixed(digits);
  table(
    [title, 'movies/s', 'CPU ms', 'calls', 'events', 'polls', 'saved after, p50 / p99 s', 'history bytes', 'peak MB'],
    runs.map((run) => [
      `${run.name} (${run.movies})`,
      figure(run.perSecond, 0),
      figure(run.cpuMsPerMovie, 1),
      figure(run.callsPerMovie, 2),
      figure(run.eventsPerMovie, 1),
      figure(run.pollsPerMovie, 1),
      run.savedMs ? `${figure(run.savedMs.p50 / 1_000, 1)} / ${figure(run.savedMs.p99 / 1_000, 1)}` : '',
      figure(run.bytesPerMovie, 0),
      figure(run.peakMemoryMb, 0),
    ]),
  );
}
