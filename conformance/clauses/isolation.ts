import { refused } from '../answers.js';
import { sampleRequest } from '../briefs.js';
import { type Clause, NotTestable, require } from '../clause.js';
import { create, type Session } from '../session.js';

/** What a key of another account must not see: the interface gives it no way to, since an id is all it could name. */
export const isolationClauses: readonly Clause[] = [
  ...(['getMovie', 'cancelMovie', 'listAssets'] as const).map((operation): Clause => ({
    id: `isolation.${operation}`,
    section: 'Authentication',
    says: `A key of another account is refused the movie (${operation})`,
    async check(session) {
      const apiKey = otherKeyOf(session);
      const { id } = (await session.movie()).movie;
      refused(await session.call(operation, { movieId: id, apiKey }));
    },
  })),
  {
    id: 'isolation.reference',
    section: 'Authentication',
    says: 'A key of another account is refused a movie request with the reference',
    async check(session) {
      const apiKey = otherKeyOf(session);
      const references = [{ reference_id: (await session.usableReference()).id, role: 'other' }];
      refused(await session.call('estimateMovie', { body: { ...sampleRequest, references }, apiKey }));
    },
  },
  {
    id: 'isolation.idempotency-key',
    section: 'Authentication',
    says: 'An Idempotency-Key that another account has used makes a movie of its own',
    orders: [sampleRequest],
    async check(session) {
      const apiKey = otherKeyOf(session);
      const { request } = await session.movie();
      const { isKnown, answer } = await create(session, request, session.keys.movie, { apiKey });
      require(!isKnown, 'answered with the movie of another account', answer);
    },
  },
];

function otherKeyOf({ service }: Session): string {
  if (service.otherKey !== undefined) return service.otherKey;
  throw new NotTestable('there is no key of another account');
}
