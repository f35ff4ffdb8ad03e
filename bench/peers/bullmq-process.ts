/** A job of BullMQ for each movie, its state in Redis. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Job, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { measure } from '../measured-process.js';
import { movieSteps, type PeerOptions } from './steps.js';

interface Movie {
  readonly number: number;
  /** Once it is ordered: a job that is done again goes on from here. */
  readonly id?: string;
}

measure<PeerOptions, number>(async ({ baseUrl, movies, inFlight, pollMs, serverUrl }, start) => {
  const steps = movieSteps(baseUrl, await mkdtemp(join(tmpdir(), 'bullmq-')));
  const connect = () => new Redis(serverUrl, { maxRetriesPerRequest: null });
  const connections = { queue: connect(), worker: connect() };
  const queue = new Queue<Movie>('movies', { connection: connections.queue });
  let done = 0;
  let tellDone: () => void = () => undefined;
  let tellFailed: (error: Error) => void = () => undefined;
  const allDone = new Promise<void>((resolve, reject) => {
    tellDone = resolve;
    tellFailed = reject;
  });
  start();
  const startedAt = performance.now();
  const worker = new Worker<Movie>('movies', makeMovie, {
    ...{ connection: connections.worker, concurrency: inFlight },
  });
  worker.on('completed', () => {
    done += 1;
    if (done === movies) tellDone();
  });
  worker.on('failed', (_, error) => tellFailed(error));
  await queue.addBulk([...Array(movies).keys()].map((number) => ({ name: 'movie', data: { number } })));
  await allDone;
  const makingMs = performance.now() - startedAt;
  await worker.close();
  await queue.close();
  for (const one of Object.values(connections)) one.disconnect();
  return makingMs;

  async function makeMovie(job: Job<Movie>): Promise<void> {
    const { number } = job.data;
    const id = job.data.id ?? (await steps.create(number));
    await job.updateData({ number, id });
    await sleep(pollMs);
    while ((await steps.status(id)) !== 'completed') await sleep(pollMs);
    await steps.download(number, await steps.assets(id));
  }
});
