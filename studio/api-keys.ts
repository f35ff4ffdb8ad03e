import { createHash } from 'node:crypto';
import { Problem } from './problem.js';

/** Identifies the caller by the short hash of its API key, the only form in which the studio keeps a key. */
export type Authenticate = (request: Request) => string;

export function createAuthentication(apiKeys: readonly string[]): Authenticate {
  const known = new Set(apiKeys.map(shortHash));
  return (request) => {
    const header = request.headers.get('authorization');
    const token = header === null ? undefined : /^Bearer +(\S+)\s*$/i.exec(header)?.[1];
    // Hashes are compared, so that timing reveals nothing about a key.
    const hash = token === undefined ? null : shortHash(token);
    if (hash !== null && known.has(hash)) return hash;
    const state = header === null ? 'the Authorization header is missing' : 'the API key is unknown';
    throw new Problem('unauthorized', `Cannot let request in: ${state}`, { 'WWW-Authenticate': 'Bearer' });
  };
}

/**
 * Admits the admin key only: an API key makes movies, but must not read what others did or change how the studio
 * answers them.
 *
 * @throws Problem
 */
export function createAdminCheck(adminKey: string, authenticate: Authenticate): (request: Request) => void {
  const isAdmin = createAuthentication([adminKey]);
  return (request) => {
    try {
      isAdmin(request);
    } catch (error) {
      authenticate(request); // unknown keys learn no more than elsewhere
      if (!(error instanceof Problem)) throw error;
      throw new Problem('forbidden', 'Cannot let request in: this needs the admin key, an API key is not enough');
    }
  };
}

/** 96 bits: no two keys of one studio share it. */
function shortHash(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('hex').slice(0, 24);
}
