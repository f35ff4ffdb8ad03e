import { json } from '../http/json.js';
import { type Movies, stateOf } from '../movies.js';
import { findMovie, movieAnswer } from './movie-answer.js';
import type { Handler } from './visit.js';

export function createGetMovie({ movies }: { readonly movies: Movies }): Handler {
  return async (visit, id) => {
    const movie = findMovie(visit, id, { movies, action: 'Cannot get movie' });
    return json(200, movieAnswer(movie, stateOf(movie, visit.nowMs), visit.rules));
  };
}
