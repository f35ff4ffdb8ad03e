import { createHash } from 'node:crypto';
import { Problem } from './problem.js';

/** Finds out whose request it is: the short hash of its API key, the only form in which the studio keeps a key. */
export type Authenticate = (request: Request) => string;

export function createAuthentication(apiKeys: readonly string[]): Authenticate {
  const known = new Set(apiKeys.map(shortHash));
  return (request) => {
    const header = request.headers.get('authorization');
    const token = header === null ? undefined : /^Bearer +(\S+)\s*$/i.exec(header)?.[1];
    // Hashes are compared, so that the time it takes tells nothing about a key.
    const hash = token === undefined ? null : shortHash(token);
    if (hash !== null && known.has(hash)) return hash;
    const state = header === null ? 'the Authorization header is missing' : 'the API key is not known here';
    throw new Problem('unauthorized', `Cannot let request in: ${state}`, { 'WWW-Authenticate': 'Bearer' });
  };
}

/** 96 bits: no two keys of one studio share it. */
function shortHash(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('hex').slice(0, 24);
}
