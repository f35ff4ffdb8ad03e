import { type Movie, MovieId } from '../../api/contract.js';
import type { AnswerRule } from '../faults/script.js';
import { type MovieRecord, type Movies, movieBody } from '../movies.js';
import { Problem } from '../problem.js';
import type { MovieState } from '../timeline.js';
import type { RequestContext } from './pipeline.js';

/** The movie as it is shown, with the lies that a fault script asks for. */
export function movieAnswer(movie: MovieRecord, state: MovieState, rules: readonly AnswerRule[]): Movie {
  let shown = movieBody(movie, state);
  // oxlint-disable-next-line oxc/no-accumulating-spread -- a script has a few rules
  for (const rule of rules) {
    if (rule.effect === 'word')
      shown = { ...shown, status: rule.word, progress: { percent: state.percent, stage: rule.word } };
    if (rule.effect === 'regress') shown = { ...shown, status: rule.to, progress: { percent: 0, stage: rule.to } };
    if (rule.effect === 'echo') shown = { ...shown, prompt: rule.text };
  }
  return shown;
}

/** @throws Problem also for another key's movie: nobody learns that it exists. */
export function findMovie(
  context: RequestContext,
  id: string,
  { movies, action }: { readonly movies: Movies; action: string },
): MovieRecord {
  if (!MovieId.safeParse(id).success) {
    throw new Problem(
      'invalid_request',
      `${action}: ${JSON.stringify(id)} is not a movie id (movie_ followed by letters or digits)`,
    );
  }
  const movie = movies.find(id);
  if (movie?.keyHash !== context.keyHash) throw new Problem('not_found', `${action}: there is no movie ${id}`);
  return movie;
}
