import { createRequire } from 'node:module';
import { ConfigError } from './config-error.js';

/**
 * The studio draws with fonts, a canvas and an encoder of some 300 MB, which a worker of a fleet leaves out: they are
 * the dependencies of the workspace package `greenlight-studio`.
 *
 * @throws ConfigError when that package is not installed.
 */
export function requireStudio(action: string, resolve = createRequire(import.meta.url).resolve): void {
  try {
    resolve('greenlight-studio/package.json');
  } catch {
    throw new ConfigError(
      `${action}: the package greenlight-studio is not installed; install it (npm ci), or set MOVIE_API_URL to use another movie service`,
    );
  }
}
