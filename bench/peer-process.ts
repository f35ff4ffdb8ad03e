import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import pLimit from 'p-limit';
import { createMovieApi } from '../api/movie-api.js';
import { benchKey } from './bench-services.js';
import { measure } from './measured-process.js';
import type { movieWorkflow, PeerActivities } from './peer-workflow.js';

export interface PeerOptions {
  readonly baseUrl: string;
  readonly address: string;
  readonly movies: number;
  readonly inFlight: number;
  readonly pollMs: number;
}

export interface PeerResult {
  readonly makingMs: number;
  readonly eventsPerMovie: number;
}

/** Workflows whose histories are counted. */
const sample = 20;

measure<PeerOptions, PeerResult>(async ({ baseUrl, address, movies, inFlight, pollMs }, start) => {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: 'ERROR', forward: {} } },
  });
  const folder = await mkdtemp(join(tmpdir(), 'peer-'));
  const api = createMovieApi({ baseUrl, apiKey: benchKey });
  const activities: PeerActivities = {
    async create(movie) {
      const body = JSON.stringify({ prompt: `Bench movie number ${movie}, quietly made`, duration_seconds: 5 });
      return (await api.createMovie(body, { idempotencyKey: `peer-${movie}-of-bench` })).id;
    },
    status: async (movieId) => (await api.getMovie(movieId)).status,
    assets: async (movieId) => (await api.listAssets(movieId)).map(({ type, url }) => ({ type, url })),
    async download(movieId, assets) {
      for (const { type, url } of assets) {
        await writeFile(join(folder, `${movieId}-${type}`), Buffer.from(await (await fetch(url)).arrayBuffer()));
      }
    },
  };
  const [connection, clientConnection] = [
    await NativeConnection.connect({ address }),
    await Connection.connect({ address }),
  ];
  const worker = await Worker.create({
    ...{ connection, activities, taskQueue: 'peer', maxConcurrentActivityTaskExecutions: 400 },
    workflowsPath: fileURLToPath(new URL('peer-workflow.ts', import.meta.url)),
  });
  const client = new Client({ connection: clientConnection });
  const limit = pLimit(inFlight);
  const makingMs = await worker.runUntil(async () => {
    start();
    const begun = performance.now();
    const run = (movie: number) =>
      client.workflow.execute<typeof movieWorkflow>('movieWorkflow', {
        ...{ args: [movie, pollMs], taskQueue: 'peer', workflowId: `peer-${movie}` },
      });
    await limit.map([...Array(movies).keys()], run);
    return performance.now() - begun;
  });
  const counted = Math.min(sample, movies);
  let events = 0;
  for (let movie = 0; movie < counted; movie += 1)
    events += (await client.workflow.getHandle(`peer-${movie}`).describe()).historyLength;
  await clientConnection.close();
  await connection.close();
  await api.close();
  return { makingMs, eventsPerMovie: events / counted };
});
