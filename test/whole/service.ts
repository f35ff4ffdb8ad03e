import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type ServedStudio, type ServeOptions, serveStudio } from '../../studio/serve.js';
import type { Environment } from './home.js';

export const apiKey = 'sk_the_key_of_the_test';

/** A movie service that is not the home's own: a studio of stubs behind a port, closed after the test. */
export async function serveMovies(options: Partial<ServeOptions> = {}): Promise<ServedStudio> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'greenlight-service-'));
  const served = await serveStudio({
    ...{ port: 0, dataFolder, apiKeys: [apiKey], render: 'stub', books: true },
    onError: (error) => {
      throw error;
    },
    ...options,
  });
  onTestFinished(async () => {
    await served.close();
    await rm(dataFolder, { recursive: true, force: true });
  });
  return served;
}

/** How the program is told of it. */
export function serviceAt(port: number, key = apiKey): Environment {
  return { MOVIE_API_URL: `http://127.0.0.1:${port}/v1`, MOVIE_API_KEY: key };
}
