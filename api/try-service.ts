import { ConnectionError, MovieApiError } from './errors.js';
import type { MovieApi } from './movie-api.js';

/** Refusals of whoever asks, whatever they ask for. */
const refusedCredentials = [401, 402, 403];

/**
 * Asks for the price of a made-up movie, which creates nothing: does the service answer, and does it know our key? What
 * else it may say about that movie does not matter.
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
