import { AssetList, Movie, movieStatuses } from '../../api/contract.js';
import { bodyOf, refused } from '../answers.js';
import { type Clause, require } from '../clause.js';
import { requireSameJob, requireSameRecord } from '../same-record.js';

export const movieClauses: readonly Clause[] = [
  {
    id: 'get.movie',
    section: 'Endpoints',
    says: 'A get returns the job and its current status',
    async check(session) {
      const { movie } = await session.movie();
      const answer = await session.call('getMovie', { movieId: movie.id });
      const read = bodyOf(answer, Movie);
      require(read.id === movie.id, 'answered with another movie', answer);
      require((movieStatuses as readonly string[]).includes(read.status), `uses the status ${read.status}`, answer);
    },
  },
  {
    id: 'get.same-job',
    section: 'Resources and their fields',
    says: 'A get shows prompt, duration, aspect ratio and created_at as the create did, and no earlier updated_at',
    async check(session) {
      for (const { movie } of [await session.movie(), await session.largestMovie()]) {
        const answer = await session.call('getMovie', { movieId: movie.id });
        requireSameJob(movie, bodyOf(answer, Movie), answer);
      }
    },
  },
  ...(['getMovie', 'cancelMovie', 'listAssets'] as const).flatMap((operation): Clause[] => [
    {
      id: `${operation}.unknown`,
      section: 'Errors',
      says: 'A movie that does not exist is answered with an error',
      async check({ call }) {
        refused(await call(operation, { movieId: 'movie_doesNotExist0' }));
      },
    },
    {
      id: `${operation}.malformed`,
      section: 'Endpoints',
      says: 'The path parameter movie_id matches ^movie_[A-Za-z0-9]+$',
      async check(session) {
        const { id } = (await session.movie()).movie;
        for (const movieId of ['movie_a-b', `${id}-`, id.replace('movie_', '')]) {
          refused(await session.call(operation, { movieId }));
        }
      },
    },
  ]),
  {
    id: 'events.poll',
    section: 'Events',
    says: 'A client may poll the get operation until the status is completed',
    async check(session) {
      const { movie } = await session.movie();
      const done = await session.completedMovie();
      require(Date.parse(done.updated_at) >= Date.parse(movie.created_at), 'completed the movie before it was created');
    },
  },
  {
    id: 'get.completed-stays',
    section: 'States and transitions',
    says: 'A completed job stays as it is',
    async check(session) {
      const done = await session.completedMovie();
      const answer = await session.call('getMovie', { movieId: done.id });
      requireSameRecord(done, bodyOf(answer, Movie), answer);
    },
  },
  {
    id: 'assets.any-time',
    section: 'Endpoints',
    says: 'The assets list of a movie that is not completed is a list, or refused',
    async check(session) {
      const { movie } = await session.minimalMovie();
      const answer = await session.call('listAssets', { movieId: movie.id });
      if (answer.status >= 400) refused(answer);
      else bodyOf(answer, AssetList);
    },
  },
];
