import { movieStatuses } from '../../api/contract.js';
import { type Clause, require } from '../clause.js';
import { errorOf, sampleRequest } from '../session.js';

export const createClauses: readonly Clause[] = [
  {
    id: 'create.accepted',
    section: 'Endpoints',
    says: 'A create is answered with 202 and the Movie record',
    creates: 1,
    async check(session) {
      await session.movie();
    },
  },
  {
    id: 'create.queued',
    section: 'States and transitions',
    says: 'A created job starts in queued',
    creates: 0,
    async check(session) {
      const { movie, answer } = await session.movie();
      require(movie.status === 'queued', `answered with status ${movie.status}`, answer);
    },
  },
  {
    id: 'create.echo',
    section: 'Resources and their fields',
    says: 'A Movie shows the prompt, duration and aspect ratio that were asked for, where it shows them',
    creates: 0,
    async check(session) {
      const { movie, answer, request } = await session.movie();
      for (const field of ['prompt', 'duration_seconds', 'aspect_ratio'] as const) {
        const shown = movie[field];
        require(shown === undefined || shown === request[field], `shows another ${field}`, answer);
      }
    },
  },
  {
    id: 'create.timestamps',
    section: 'Resources and their fields',
    says: 'created_at and updated_at are ISO 8601 timestamps, the second not before the first',
    creates: 0,
    async check(session) {
      const { movie, answer } = await session.movie();
      require(Date.parse(movie.updated_at) >=
        Date.parse(movie.created_at), 'was updated before it was created', answer);
    },
  },
  {
    id: 'create.invalid',
    section: 'Errors',
    says: 'An invalid create is answered with 400',
    creates: 1,
    async check({ call }) {
      errorOf(await call('createMovie', { body: { ...sampleRequest, prompt: undefined } }), 400);
    },
  },
  ...[7, 256].map(
    (length): Clause => ({
      id: `create.key.${length}`,
      section: 'Limits',
      says: `An Idempotency-Key has 8 to 255 characters, not ${length}`,
      creates: 1,
      async check({ call }) {
        errorOf(
          await call('createMovie', { body: sampleRequest, headers: { 'Idempotency-Key': 'k'.repeat(length) } }),
          400,
        );
      },
    }),
  ),
  {
    id: 'create.status-word',
    section: 'Resources and their fields',
    says: `The status of a movie is one of ${movieStatuses.join(', ')}`,
    creates: 0,
    async check(session) {
      const { movie, answer } = await session.movie();
      require((movieStatuses as readonly string[]).includes(movie.status), `uses the status ${movie.status}`, answer);
    },
  },
];
