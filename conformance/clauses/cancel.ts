import { Movie, terminalStatuses } from '../../api/contract.js';
import { bodyOf } from '../answers.js';
import { canceledRequest } from '../briefs.js';
import { type Clause, NotTestable, require } from '../clause.js';
import { requireSameJob, requireSameRecord } from '../same-record.js';
import type { Session } from '../session.js';

export const cancelClauses: readonly Clause[] = [
  {
    id: 'cancel.running',
    section: 'States and transitions',
    says: 'Canceling a job that has not completed answers with the Movie record, canceled',
    orders: [canceledRequest],
    async check(session) {
      const { cancel } = await session.canceledMovie();
      const { status } = bodyOf(cancel, Movie);
      if (status !== 'canceled') notInTime(status);
      require(status === 'canceled', `left the job ${status}`, cancel);
    },
  },
  {
    id: 'cancel.same-job',
    section: 'States and transitions',
    says: 'The Movie record that a cancel answers with is that of the job',
    async check(session) {
      const { movie, cancel } = await session.canceledMovie();
      requireSameJob(movie, bodyOf(cancel, Movie), cancel);
    },
  },
  {
    id: 'cancel.stays',
    section: 'States and transitions',
    says: 'A canceled job stays as the cancel answered it',
    async check(session) {
      const movie = await canceled(session);
      const answer = await session.call('getMovie', { movieId: movie.id });
      requireSameRecord(movie, bodyOf(answer, Movie), answer);
    },
  },
  {
    id: 'cancel.again',
    section: 'States and transitions',
    says: 'Canceling a canceled job answers with the unchanged Movie record, not with an error',
    async check(session) {
      const movie = await canceled(session);
      const answer = await session.call('cancelMovie', { movieId: movie.id });
      requireSameRecord(movie, bodyOf(answer, Movie), answer);
    },
  },
  {
    id: 'cancel.completed',
    section: 'States and transitions',
    says: 'Canceling a completed job changes nothing and answers with the unchanged Movie record',
    async check(session) {
      const movie = await session.completedMovie();
      const answer = await session.call('cancelMovie', { movieId: movie.id });
      requireSameRecord(movie, bodyOf(answer, Movie), answer);
      const read = await session.call('getMovie', { movieId: movie.id });
      requireSameRecord(movie, bodyOf(read, Movie), read);
    },
  },
  {
    id: 'cancel.no-other',
    section: 'States and transitions',
    says: 'A job is not canceled unless somebody with its key canceled it',
    async check(session) {
      const { movie } = await session.minimalMovie();
      for (const apiKey of [null, session.service.otherKey]) {
        if (apiKey !== undefined) await session.call('cancelMovie', { movieId: movie.id, apiKey });
      }
      const answer = await session.call('getMovie', { movieId: movie.id });
      require(bodyOf(answer, Movie).status !== 'canceled', 'canceled it', answer);
    },
  },
];

/** The movie that was canceled, if it could be before it ended by itself. */
async function canceled(session: Session): Promise<Movie> {
  const movie = bodyOf((await session.canceledMovie()).cancel, Movie);
  if (movie.status === 'canceled') return movie;
  notInTime(movie.status);
  throw new NotTestable('it needs a canceled movie, which is not available');
}

function notInTime(status: string): void {
  if (terminalStatuses.has(status)) throw new NotTestable(`the movie had ${status} before it could be canceled`);
}
