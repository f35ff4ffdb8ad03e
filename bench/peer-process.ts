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

measure<PeerOptions, number>(async ({ baseUrl, address, movies, inFlight, pollMs }, start) => {
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
    async download(movieId) {
      for (const { type, url } of await api.listAssets(movieId)) {
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
  const startedAt = await worker.runUntil(async () => {
    start();
    const begun = performance.now();
    const run = (movie: number) =>
      client.workflow.execute<typeof movieWorkflow>('movieWorkflow', {
        ...{ args: [movie, pollMs], taskQueue: 'peer', workflowId: `peer-${movie}` },
      });
    await limit.map([...Array(movies).keys()], run);
    return performance.now() - begun;
  });
  await clientConnection.close();
  await connection.close();
  await api.close();
  return startedAt;
});
