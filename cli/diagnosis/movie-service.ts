import { existsSync } from 'node:fs';
import { ConnectionError, ContractError, MovieApiError } from '../../api/errors.js';
import { createMovieApi } from '../../api/movie-api.js';
import { proxyFor, proxyName } from '../../api/proxies.js';
import type { Config } from '../../home/config.js';
import { openParts } from '../../home/services.js';

/**
 * Asks the movie service for a price, which creates nothing.
 *
 * @throws Error naming what is amiss.
 */
export async function diagnoseMovieService(config: Config): Promise<string> {
  const { movieApi, proxies } = config;
  if (!movieApi) return `the built-in studio, ${await studioState(config)}`;
  const { name, url, key } = movieApi;
  const proxy = proxyFor(url, proxies);
  const api = createMovieApi({ baseUrl: url, apiKey: key, proxy });
  try {
    await api.estimateMovie({ prompt: 'A lighthouse at dusk', duration_seconds: 5 });
  } catch (error) {
    refuseUnusable(error, config);
  } finally {
    await api.close();
  }
  return `${name}, ${url}${proxy === null ? '' : `, by the proxy ${proxyName(proxy)}`}`;
}

async function studioState({ home }: Config): Promise<string> {
  if (!existsSync(home)) return 'started by run and worker';
  const parts = await openParts(home);
  try {
    return parts.running('studio') ? 'running' : 'started by run and worker';
  } finally {
    parts.close();
  }
}

/** What a service may say of a made-up movie does not matter; that it is another one, or not there, does. */
function refuseUnusable(error: unknown, { movieApi }: Config): void {
  const { name = '', url = '' } = movieApi ?? {};
  const why =
    error instanceof Error ? error.message.replace(/^Cannot [^:]+: /, '').replace(/; nothing was sent$/, '') : '';
  if (error instanceof ConnectionError) {
    throw new Error(`Cannot reach ${name}: ${why}; check MOVIE_API_URL, and that the service is running`);
  }
  const isNoAnswerOfIts = error instanceof ContractError || (error instanceof MovieApiError && error.status === 404);
  if (isNoAnswerOfIts) {
    const version = /\/v\d+$/.test(url) ? '' : `; MOVIE_API_URL ends without a version, expected as ${url}/v1`;
    throw new Error(`Cannot use ${url} as movie service: ${why}${version || '; check MOVIE_API_URL'}`);
  }
  if (error instanceof MovieApiError && [401, 402, 403].includes(error.status)) {
    throw new Error(`Cannot use ${name}: ${why}; check MOVIE_API_KEY`);
  }
}
