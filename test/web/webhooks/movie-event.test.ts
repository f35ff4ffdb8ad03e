import { describe, expect, test } from 'vitest';
import { movieToLookAt } from '../../../web/webhooks/movie-event.js';

const completed = { id: 'movie_a1', status: 'completed' };

describe('movieToLookAt', () => {
  test.each([
    ['the movie as data', { id: 'msg_1', type: 'movie.completed', data: completed }],
    ['its id alone as data', { type: 'movie.failed', data: { id: 'movie_a1' } }],
    ['its id by another name', { type: 'movie.canceled', data: { movie_id: 'movie_a1' } }],
    ['the movie itself', completed],
    ['an id beside the type', { type: 'completed', movie_id: 'movie_a1' }],
    ['a status that nobody knows', { data: { ...completed, status: 'archived' } }],
    ['no word about its state', { data: { id: 'movie_a1' } }],
    ['fields of a wrong type beside it', { type: 7, status: [], id: {}, data: { id: 'movie_a1', status: null } }],
  ])('finds the movie in an event with %s', (_, event) => {
    expect(movieToLookAt(event)).toBe('movie_a1');
  });

  test.each(['queued', 'planning', 'generating', 'rendering'])('passes over a movie that is %s', (status) => {
    expect(movieToLookAt({ type: `movie.${status}`, data: { ...completed, status } })).toBeNull();
    expect(movieToLookAt({ type: `movie.${status}`, data: { id: 'movie_a1' } })).toBeNull();
  });

  test.each([
    ['nothing', {}],
    ['another kind of id', { data: { id: 'ref_a1', status: 'completed' } }],
    ['an id that hides a query', { data: { id: "movie_a1' or '1'='1", status: 'completed' } }],
    ['an id without end', { data: { id: `movie_${'a'.repeat(10_000)}`, status: 'completed' } }],
    ['a list', [completed]],
    ['a list as data', { data: [completed] }],
    ['no object', 'movie_a1'],
    ['null', null],
  ])('finds none in %s', (_, event) => {
    expect(movieToLookAt(event)).toBeNull();
  });
});
