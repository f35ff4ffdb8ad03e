import { json } from '../http/json.js';
import { type Movies, stateOf } from '../movies.js';
import { findMovie, movieAnswer } from './movie-answer.js';
import type { Handler } from './pipeline.js';

export function createGetMovie({ movies }: { readonly movies: Movies }): Handler {
  return async (context, id) => {
    const movie = findMovie(context, id, { movies, action: 'Cannot get movie' });
    return json(200, movieAnswer(movie, stateOf(movie, context.nowMs), context.rules));
  };
}
