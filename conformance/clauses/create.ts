import { type MovieRequest, movieStatuses } from '../../api/contract.js';
import { refused } from '../answers.js';
import { largestRequest, minimalRequest, sampleRequest } from '../briefs.js';
import { type Clause, require } from '../clause.js';
import type { Made } from '../session.js';

/** To check before anything else is made. */
export const createClauses: readonly Clause[] = [
  {
    id: 'create.accepted',
    section: 'Endpoints',
    says: 'A create is answered with 202 and the Movie record',
    orders: [sampleRequest],
    async check(session) {
      await session.movie();
    },
  },
  {
    id: 'create.status-word',
    section: 'Resources and their fields',
    says: `The status of a movie is one of ${movieStatuses.join(', ')}`,
    async check(session) {
      const { movie, answer } = await session.movie();
      require((movieStatuses as readonly string[]).includes(movie.status), `uses the status ${movie.status}`, answer);
    },
  },
  {
    id: 'create.queued',
    section: 'States and transitions',
    says: 'A created job starts in queued',
    async check(session) {
      requireQueued(await session.movie());
    },
  },
  {
    id: 'create.echo',
    section: 'Resources and their fields',
    says: 'A Movie shows the prompt, duration and aspect ratio that were asked for, where it shows them',
    async check(session) {
      const made = await session.movie();
      requireEcho(made, made.request);
    },
  },
  {
    id: 'create.timestamps',
    section: 'Resources and their fields',
    says: 'created_at and updated_at are ISO 8601 timestamps, the second not before the first',
    async check(session) {
      const { movie, answer } = await session.movie();
      const inOrder = Date.parse(movie.updated_at) >= Date.parse(movie.created_at);
      require(inOrder, 'was updated before it was created', answer);
    },
  },
];

/** Bodies that cannot possibly be read as a movie request. */
const notRequests: readonly { readonly name: string; readonly body: unknown }[] = [
  { name: 'a list as body', body: [sampleRequest] },
  { name: 'half of a JSON text', body: JSON.stringify(sampleRequest).slice(0, -1) },
  { name: 'no body', body: '' },
];

/** To check once the first movie has been made and requested again. */
export const furtherCreateClauses: readonly Clause[] = [
  {
    id: 'create.without-key',
    section: 'Endpoints',
    says: 'The Idempotency-Key is optional, and of a movie request only the prompt is required',
    orders: [minimalRequest],
    async check(session) {
      const made = await session.minimalMovie();
      requireQueued(made);
      require(!made.isKnown, 'answered with an earlier movie', made.answer);
    },
  },
  {
    id: 'create.defaults',
    section: 'Limits',
    says: 'A movie made without duration_seconds has 30 seconds',
    async check(session) {
      const made = await session.minimalMovie();
      requireEcho(made, { ...minimalRequest, duration_seconds: 30 });
    },
  },
  {
    id: 'create.largest',
    section: 'Limits',
    says: 'A create with every field at its upper limit is accepted',
    orders: [largestRequest([])],
    async check(session) {
      requireQueued(await session.largestMovie());
    },
  },
  {
    id: 'create.echo-largest',
    section: 'Resources and their fields',
    says: 'A Movie shows a prompt of any script and of 8000 characters as it was sent, where it shows it',
    async check(session) {
      const made = await session.largestMovie();
      requireEcho(made, made.request);
    },
  },
  {
    id: 'create.invalid',
    section: 'Errors',
    says: 'An invalid create is answered with 400',
    refusals: 1,
    async check(session) {
      await session.refusal();
    },
  },
  ...[7, 256].map((length): Clause => ({
    id: `create.key.${length}`,
    section: 'Limits',
    says: `An Idempotency-Key has 8 to 255 characters, not ${length}`,
    refusals: 1,
    async check({ call, refusal }) {
      await refusal();
      refused(
        await call('createMovie', { body: sampleRequest, headers: { 'Idempotency-Key': 'k'.repeat(length) } }),
        400,
      );
    },
  })),
  ...notRequests.map(({ name, body }): Clause => ({
    id: `create.${name.replaceAll(' ', '-')}`,
    section: 'Errors',
    says: `A create with ${name} is answered with 400`,
    refusals: 1,
    async check({ call, refusal }) {
      await refusal();
      refused(await call('createMovie', { body }), 400);
    },
  })),
];

function requireQueued({ movie, answer }: Made): void {
  require(movie.status === 'queued', `answered with status ${movie.status}`, answer);
}

function requireEcho({ movie, answer }: Made, asked: MovieRequest): void {
  for (const field of ['prompt', 'duration_seconds', 'aspect_ratio'] as const) {
    const right = movie[field] === undefined || asked[field] === undefined || movie[field] === asked[field];
    require(right, `shows a different ${field}`, answer);
  }
}
