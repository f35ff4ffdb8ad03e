/** A workflow of DBOS for each movie, its state in PostgreSQL. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DBOS } from '@dbos-inc/dbos-sdk';
import pLimit from 'p-limit';
import { measure } from '../measured-process.js';
import { movieSteps, type PeerOptions } from './steps.js';

measure<PeerOptions, number>(async ({ baseUrl, movies, inFlight, pollMs, serverUrl }, start) => {
  const steps = movieSteps(baseUrl, await mkdtemp(join(tmpdir(), 'dbos-')));
  const makeMovie = DBOS.registerWorkflow(
    async (number: number) => {
      const id = await DBOS.runStep(() => steps.create(number), { name: 'create' });
      await DBOS.sleep(pollMs);
      while ((await DBOS.runStep(() => steps.status(id), { name: 'status' })) !== 'completed') await DBOS.sleep(pollMs);
      const assets = await DBOS.runStep(() => steps.assets(id), { name: 'assets' });
      await DBOS.runStep(() => steps.download(number, assets), { name: 'download' });
    },
    { name: 'movie' },
  );
  DBOS.setConfig({
    ...{ name: 'bench', applicationVersion: 'bench', systemDatabaseUrl: serverUrl },
    ...{ logLevel: 'error', runAdminServer: false },
  });
  await DBOS.launch();
  const limit = pLimit(inFlight);
  start();
  const startedAt = performance.now();
  await limit.map([...Array(movies).keys()], async (number) => {
    const handle = await DBOS.startWorkflow(makeMovie, { workflowID: `movie-${number}` })(number);
    await handle.getResult();
  });
  const makingMs = performance.now() - startedAt;
  await DBOS.shutdown();
  return makingMs;
});
