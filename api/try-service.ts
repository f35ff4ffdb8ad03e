import { ConnectionError, MovieApiError } from './errors.js';
import type { MovieApi } from './movie-api.js';

/** Statuses that refuse the caller, whatever the request. */
const refusedCredentials = [401, 402, 403];

/**
 * Asks for the price of a made-up movie, which creates nothing, to see whether the service answers and knows our key.
 * Anything else that it says about that movie does not matter.
 *
 * @throws ConnectionError when it cannot be reached; MovieApiError when it refuses our key.
 */
export async function tryService(api: Pick<MovieApi, 'estimateMovie'>, signal?: AbortSignal): Promise<void> {
  try {
    await api.estimateMovie({ prompt: 'A lighthouse at dusk', duration_seconds: 5 }, signal ? { signal } : {});
  } catch (error) {
    if (error instanceof ConnectionError) throw error;
    if (error instanceof MovieApiError && refusedCredentials.includes(error.status)) throw error;
  }
}
