import { type Clause, NotTestable, require } from '../clause.js';
import { errorOf } from '../session.js';

export const errorClauses: readonly Clause[] = [
  {
    id: 'errors.code',
    section: 'Errors',
    says: 'invalid_request is the code of an invalid request',
    creates: 1,
    async check({ call }) {
      const answer = await call('createMovie', { body: { prompt: 'too short' } });
      const { code } = errorOf(answer, 400);
      require(code === 'invalid_request', `uses the code ${code}`, answer);
    },
  },
  {
    id: 'errors.rate-limit',
    section: 'Errors',
    says: '429 carries the header Retry-After, a whole number of seconds, at least 1',
    creates: 0,
    async check({ rateLimited }) {
      if (rateLimited.length === 0) throw new NotTestable('the service never answered 429');
      for (const answer of rateLimited) {
        errorOf(answer, 429);
        const seconds = answer.headers.get('retry-after') ?? 'nothing';
        require(/^[1-9]\d*$/.test(seconds), `says Retry-After: ${seconds}`, answer);
      }
    },
  },
  {
    id: 'versioning.path',
    section: 'Versioning',
    says: 'The base URL carries the version as the segment v1',
    creates: 0,
    async check({ service }) {
      const { pathname } = new URL(service.baseUrl);
      require(/\/v1\/?$/.test(pathname), `has the path ${pathname}`);
    },
  },
];
