import { type Operation, routes } from '../../api/contract.js';
import type { Clause } from '../clause.js';
import { note } from '../samples.js';
import { type Call, errorOf, type Session, sampleRequest, uploadForm } from '../session.js';

const operations = Object.keys(routes) as Operation[];

/** Of no key of any service. */
const invalidKey = 'gl-conformance-not-a-key';

export const authenticationClauses: readonly Clause[] = operations.flatMap((operation) => [
  {
    id: `authentication.missing.${operation}`,
    section: 'Authentication',
    says: `${nameOf(operation)} without an API key is answered with an error${operation === 'createMovie' ? ', 401' : ''}`,
    creates: operation === 'createMovie' ? 1 : 0,
    check: (session) => checkRefused(session, operation, null),
  },
  {
    id: `authentication.invalid.${operation}`,
    section: 'Authentication',
    says: `${nameOf(operation)} with an invalid API key is answered with an error${operation === 'createMovie' ? ', 401' : ''}`,
    creates: operation === 'createMovie' ? 1 : 0,
    check: (session) => checkRefused(session, operation, invalidKey),
  },
]);

async function checkRefused(session: Session, operation: Operation, apiKey: string | null): Promise<void> {
  const answer = await session.call(operation, { ...(await validCall(session, operation)), apiKey });
  errorOf(answer, operation === 'createMovie' ? 401 : undefined);
}

/** A call that is right but for its key. */
async function validCall(session: Session, operation: Operation): Promise<Call> {
  switch (operation) {
    case 'uploadReference':
      return { body: uploadForm(note()) };
    case 'estimateMovie':
    case 'createMovie':
      return { body: sampleRequest };
    case 'getMovie':
    case 'cancelMovie':
    case 'listAssets':
      return { movieId: (await session.movie()).movie.id };
  }
}

function nameOf(operation: Operation): string {
  return `${routes[operation].method} ${routes[operation].path}`;
}
