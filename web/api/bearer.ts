import type { Actor } from '../../domain/roles.js';
import { bearerActor } from '../../operations/access/bearer-actor.js';
import type { ApiDeps } from './api-deps.js';
import { ApiProblem } from './problem.js';

export interface Caller {
  readonly actor: Actor;
  readonly expiresAtMs: number | null;
}

/**
 * The person whose token the request has. Cookies open nothing here: no page of another site can act as them.
 *
 * @param from the address that it came from, for the audit of refused tokens
 * @throws ApiProblem with status 401.
 */
export async function callerOf(deps: ApiDeps, request: Request, from: string): Promise<Caller> {
  const [, token] = /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  if (token === undefined) {
    throw new ApiProblem('unauthorized', 'Cannot act: send your token as "Authorization: Bearer glt_…"');
  }
  const bearer = await bearerActor(deps, { token, from: `api at ${from}` });
  switch (bearer.kind) {
    case 'person':
      return bearer;
    case 'removed':
      throw new ApiProblem('person-removed', 'Cannot act: the token belongs to a person who was removed; ask an admin');
    case 'expired':
      throw new ApiProblem(
        'token-expired',
        'Cannot act: the token has expired; ask an admin for another (greenlight people token <name>)',
      );
    case 'nobody registered':
      throw new ApiProblem(
        'unauthorized',
        'Cannot act: nobody is registered here; register people first (greenlight people add <name> --role admin)',
      );
    case 'unknown':
      throw new ApiProblem('unauthorized', 'Cannot act: it is not the token of a registered person; ask an admin');
    default:
      return bearer satisfies never;
  }
}
