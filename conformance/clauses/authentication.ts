import { type Operation, routes } from '../../api/contract.js';
import { refused } from '../answers.js';
import { sampleRequest } from '../briefs.js';
import type { Call } from '../calls.js';
import type { Clause } from '../clause.js';
import { note, uploadForm } from '../samples.js';
import type { Session } from '../session.js';

const operations = Object.keys(routes) as Operation[];

/** Credentials that must open nothing. */
const wrong: readonly { readonly id: string; readonly words: string; readonly of: (session: Session) => Call }[] = [
  { id: 'missing', words: 'without an API key', of: () => ({ apiKey: null }) },
  // Looks like the key of no service.
  { id: 'invalid', words: 'with an invalid API key', of: () => ({ apiKey: 'gl-conformance-not-a-key' }) },
  {
    id: 'cut',
    words: 'with an API key that lacks its last character',
    of: ({ service }) => ({ apiKey: service.apiKey.slice(0, -1) }),
  },
  {
    id: 'scheme',
    words: 'with the API key in another scheme than Bearer',
    of: ({ service }) => ({ apiKey: null, headers: { Authorization: `Basic ${service.apiKey}` } }),
  },
];

export const authenticationClauses: readonly Clause[] = operations.flatMap((operation) =>
  wrong.map(({ id, words, of }): Clause => {
    const isCreate = operation === 'createMovie';
    return {
      id: `authentication.${id}.${operation}`,
      section: 'Authentication',
      says: `${nameOf(operation)} ${words} is answered with an error${isCreate ? ', 401' : ''}`,
      refusals: isCreate ? 1 : 0,
      async check(session) {
        const call = { ...(await validCall(session, operation)), ...of(session) };
        refused(await session.call(operation, call), isCreate ? 401 : undefined);
      },
    };
  }),
);

/** A call that is right except for its key. */
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
