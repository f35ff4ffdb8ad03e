import { expect, test } from 'vitest';
import { createMovieApi, type MovieApi } from '../../api/movie-api.js';
import { movie } from './service.js';

const idempotencyKey = 'gl_0123456789';

function apiOn(fetch: (request: Request) => Promise<Response>): MovieApi {
  return createMovieApi({ baseUrl: 'http://studio.test/v1', apiKey: 'sk-1', fetch });
}

test('a signal that fired before is proof that nothing was sent', async () => {
  let calls = 0;
  const api = apiOn(async () => {
    calls += 1;
    return Response.json(movie);
  });
  const call = api.createMovie('{}', { idempotencyKey, signal: AbortSignal.abort() });
  await expect(call).rejects.toMatchObject({ name: 'ConnectionError', sent: 'nothing', reason: 'aborted' });
  expect(calls).toBe(0);
});

test('a signal ends a call that the service does not answer', async () => {
  const called = new AbortController();
  const api = apiOn(() => {
    called.abort();
    return new Promise(() => {});
  });
  const call = api.createMovie('{}', { idempotencyKey, signal: called.signal });
  await expect(call).rejects.toMatchObject({ name: 'ConnectionError', sent: 'maybe', reason: 'aborted' });
});

test('a service that throws may have acted', async () => {
  const api = apiOn(() => Promise.reject(new Error('crashed')));
  await expect(api.createMovie('{}', { idempotencyKey })).rejects.toMatchObject({
    name: 'ConnectionError',
    sent: 'maybe',
    reason: 'reset',
    message: 'Cannot create the movie: the service failed to answer; the request may have been processed',
  });
});

test('a body that breaks off may have been preceded by the act', async () => {
  const api = apiOn(async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('cut')) });
    return new Response(body, { status: 202 });
  });
  await expect(api.createMovie('{}', { idempotencyKey })).rejects.toMatchObject({ sent: 'maybe', reason: 'reset' });
});
