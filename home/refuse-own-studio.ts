import { ConfigError } from './config-error.js';
import type { Config } from './config.js';

/**
 * The built-in studio belongs to one home, a PostgreSQL ledger is shared: each machine would track the movies of its
 * own studio under one name.
 *
 * @throws ConfigError
 */
export function refuseOwnStudio({ databaseUrl, movieApi }: Pick<Config, 'databaseUrl' | 'movieApi'>): void {
  if (movieApi !== null || databaseUrl.startsWith('sqlite:')) return;
  throw new ConfigError(
    'Cannot use the built-in studio with a PostgreSQL ledger: each machine would have its own; set MOVIE_API_URL and MOVIE_API_KEY, to one "greenlight studio" if need be',
  );
}
