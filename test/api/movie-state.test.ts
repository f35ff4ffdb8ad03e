import { describe, expect, test } from 'vitest';
import { readMovieState } from '../../api/movie-state.js';

const movie = { id: 'movie_1', status: 'completed', created_at: 'x', updated_at: 'x' };
const state = { status: 'completed', percent: null, stage: null, tookMs: null, error: null };

describe('the state of a movie in an answer', () => {
  test('is read as it is shown', () => {
    const progress = { percent: 40, stage: 'drawing' };
    const error = { code: 'moderation', message: 'no', request_id: 'req_1' };
    expect(readMovieState({ ...movie, status: 'rendering', progress, error: null }, 'movie_1')).toEqual({
      ...{ status: 'rendering', percent: 40, stage: 'drawing', tookMs: null, error: null },
    });
    expect(readMovieState({ ...movie, status: 'failed', progress: null, error }, 'movie_1')).toEqual({
      ...{ ...state, status: 'failed', error: { code: 'moderation', message: 'no', requestId: 'req_1' } },
    });
  });

  test('has the time between its two times, where they are times', () => {
    const times = { created_at: '2026-11-28T12:00:00Z', updated_at: '2026-11-28T12:00:30.5Z' };
    expect(readMovieState({ ...movie, ...times }, 'movie_1')).toMatchObject({ tookMs: 30_500 });
    expect(readMovieState({ ...movie, ...times, updated_at: 5 }, 'movie_1')).toMatchObject({ tookMs: null });
  });

  test.each([
    { progress: { percent: 101 } },
    { progress: { percent: -1 } },
    { progress: { percent: 99.5 } },
    { progress: { percent: '100' } },
    { progress: { percent: 100, stage: 7 }, percent: 100 },
    { progress: 'done' },
    { progress: [] },
    { error: 'none' },
    { error: { code: 1 } },
    { duration_seconds: 'long', prompt: 5 },
  ])('is not hidden by what breaks the interface beside it: %j', ({ percent = null, ...odd }) => {
    expect(readMovieState({ ...movie, ...odd }, 'movie_1')).toEqual({ ...state, percent });
  });

  test.each([
    { ...movie, id: 'movie_2' },
    { ...movie, status: '' },
    { ...movie, status: 3 },
    { id: 'movie_1' },
    'completed',
    null,
    undefined,
  ])('is none where the answer is about another movie, or names no status: %j', (body) => {
    expect(readMovieState(body, 'movie_1')).toBeNull();
  });
});
