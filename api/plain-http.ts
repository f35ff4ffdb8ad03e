import { isThisMachine } from './proxies.js';

/**
 * Returns the host to which a key would be sent in clear, by plain http over a network; null if none, or if allowed.
 *
 * @param allowedHost the one host that was allowed by name
 */
export function hostInClear(url: string, allowedHost: string | undefined): string | null {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !isThisMachine(hostname) && hostname !== allowedHost ? hostname : null;
}

/** What to do about it, for people. */
export function plainHttpWords(host: string): string {
  return `http would send the key to ${host} in clear; use https, or allow it for this host by MOVIE_API_PLAIN_HTTP_HOST=${host}`;
}
