import { Movie, movieStatuses, terminalStatuses } from '../../api/contract.js';
import { type Clause, NotTestable, require } from '../clause.js';
import { bodyOf, errorOf, type Session } from '../session.js';

export const movieClauses: readonly Clause[] = [
  {
    id: 'get.movie',
    section: 'Endpoints',
    says: 'A get returns the job and its current status',
    creates: 0,
    async check(session) {
      const { movie } = await session.movie();
      const answer = await session.call('getMovie', { movieId: movie.id });
      const read = bodyOf(answer, Movie);
      require(read.id === movie.id, 'answered with another movie', answer);
      require(read.created_at === movie.created_at, 'changed created_at', answer);
      require((movieStatuses as readonly string[]).includes(read.status), `uses the status ${read.status}`, answer);
    },
  },
  ...(['getMovie', 'cancelMovie', 'listAssets'] as const).flatMap((operation): Clause[] => [
    {
      id: `${operation}.unknown`,
      section: 'Errors',
      says: 'A movie that does not exist is answered with an error in the shape of the Error object',
      creates: 0,
      async check({ call }) {
        errorOf(await call(operation, { movieId: 'movie_doesNotExist0' }));
      },
    },
    {
      id: `${operation}.malformed`,
      section: 'Endpoints',
      says: 'The path parameter movie_id matches ^movie_[A-Za-z0-9]+$',
      creates: 0,
      async check({ call }) {
        errorOf(await call(operation, { movieId: 'movie_a-b' }));
      },
    },
  ]),
  {
    id: 'cancel.running',
    section: 'States and transitions',
    says: 'Canceling a job that has not completed answers with the Movie record, canceled',
    creates: 1,
    async check(session) {
      await canceled(session);
    },
  },
  {
    id: 'cancel.stays',
    section: 'States and transitions',
    says: 'A canceled job stays canceled',
    creates: 0,
    async check(session) {
      const { id } = await canceled(session);
      const answer = await session.call('getMovie', { movieId: id });
      require(bodyOf(answer, Movie).status === 'canceled', 'shows another status than canceled', answer);
    },
  },
  {
    id: 'cancel.again',
    section: 'States and transitions',
    says: 'Canceling a canceled job answers with the Movie record as it stands, not with an error',
    creates: 0,
    async check(session) {
      const { id } = await canceled(session);
      const answer = await session.call('cancelMovie', { movieId: id });
      require(bodyOf(answer, Movie).status === 'canceled', 'shows another status than canceled', answer);
    },
  },
  {
    id: 'cancel.completed',
    section: 'States and transitions',
    says: 'Canceling a completed job changes nothing and answers with the Movie record as it stands',
    creates: 0,
    async check(session) {
      const { id } = await session.completedMovie();
      const answer = await session.call('cancelMovie', { movieId: id });
      require(bodyOf(answer, Movie).status === 'completed', 'shows another status than completed', answer);
    },
  },
  {
    id: 'events.poll',
    section: 'Events',
    says: 'A client may poll the get operation until the status is completed',
    creates: 0,
    async check(session) {
      const { movie } = await session.movie();
      const done = await session.completedMovie();
      require(Date.parse(done.updated_at) >= Date.parse(movie.created_at), 'completed the movie before it was created');
    },
  },
  {
    id: 'events.webhook',
    section: 'Events',
    says: 'A callback address receives the lifecycle events of the movie',
    creates: 0,
    async check() {
      throw new NotTestable('names, payload and signature of events are not shown');
    },
  },
];

/** The movie that is canceled, if it could be before it ended by itself. */
async function canceled(session: Session): Promise<Movie> {
  const { movie, cancel } = await session.canceledMovie();
  const answered = bodyOf(cancel, Movie);
  require(answered.id === movie.id, 'answered with another movie', cancel);
  if (answered.status !== 'canceled' && terminalStatuses.has(answered.status)) {
    throw new NotTestable(`the movie had ${answered.status} before it could be canceled`);
  }
  require(answered.status === 'canceled', `left the job ${answered.status}`, cancel);
  return answered;
}
