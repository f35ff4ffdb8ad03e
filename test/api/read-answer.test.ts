import { inspect } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import type { ContractError, MovieApiError } from '../../api/errors.js';
import { createMovieApi, type MovieApi } from '../../api/movie-api.js';
import { json, movie, type Script, scriptedService } from './service.js';

const apiKey = 'sk-very-secret-0123';
const releases: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const release of releases.splice(0).reverse()) await release();
});

async function apiThat(script: Script): Promise<MovieApi> {
  const service = await scriptedService(script);
  const api = createMovieApi({ baseUrl: service.baseUrl, apiKey });
  releases.push(service.close, () => api.close());
  return api;
}

async function failure<T extends MovieApiError | ContractError>(call: Promise<unknown>): Promise<T> {
  const error = await call.then(
    () => expect.unreachable('the call should have failed'),
    (reason: unknown) => reason,
  );
  expect(inspect(error, { depth: null, showHidden: true })).not.toContain(apiKey);
  return error as T; // the test that asks names the kind and checks it
}

describe('refusals', () => {
  test('carry status, code, request id and wait, and say them in one line', async () => {
    const error = { code: 'rate_limit_exceeded', message: 'Too many\nrequests', request_id: 'req_7' };
    const api = await apiThat((_, response) => json(response, 429, { error }, { 'retry-after': '7' }));
    const refused = await failure<MovieApiError>(api.getMovie('movie_1'));
    expect(refused).toMatchObject({
      name: 'MovieApiError',
      operation: 'getMovie',
      status: 429,
      code: 'rate_limit_exceeded',
      requestId: 'req_7',
      retryAfterMs: 7_000,
      message:
        'Cannot read the movie: the service answered 429 rate_limit_exceeded: Too many requests, retry after 7 s (request req_7)',
    });
  });

  test('a 429 that does not say how long still asks to wait', async () => {
    const api = await apiThat((_, response) => response.writeHead(429).end());
    expect(await failure<MovieApiError>(api.getMovie('movie_1'))).toMatchObject({ code: null, retryAfterMs: 5_000 });
  });

  test('other statuses ask for a wait only when they say so', async () => {
    const api = await apiThat((_, response) => response.writeHead(503, { 'retry-after': '2' }).end());
    expect(await failure<MovieApiError>(api.getMovie('movie_1'))).toMatchObject({ status: 503, retryAfterMs: 2_000 });
    const silent = await apiThat((_, response) => response.writeHead(503).end());
    expect(await failure<MovieApiError>(silent.getMovie('movie_1'))).toMatchObject({ retryAfterMs: null });
  });

  test("a proxy's page has no code, and its request id comes from the header", async () => {
    const api = await apiThat((_, response) =>
      response.writeHead(502, { 'content-type': 'text/html', 'x-request-id': 'req_9' }).end('<h1>Bad gateway</h1>'),
    );
    expect(await failure<MovieApiError>(api.listAssets('movie_1'))).toMatchObject({
      status: 502,
      code: null,
      requestId: 'req_9',
      message: 'Cannot list the assets: the service answered 502 without an error object (request req_9)',
    });
  });

  test('a service that repeats the key does not get it into a message', async () => {
    const api = await apiThat((request, response) => {
      const said = {
        code: 'unauthorized',
        message: `bad ${request.headers.authorization}`,
        request_id: `req_${apiKey}`,
      };
      json(response, 401, { error: said });
    });
    const refused = await failure<MovieApiError>(api.getMovie('movie_1'));
    expect(refused.message).toBe(
      'Cannot read the movie: the service answered 401 unauthorized: bad Bearer [key] (request req_[key])',
    );
    expect(refused.requestId).toBe('req_[key]');
  });
});

describe('successes that break the interface', () => {
  test.each<{ name: string; body: string; problem: RegExp }>([
    { name: 'no body', body: '', problem: /it is not JSON$/ },
    { name: "a proxy's page", body: '<html>', problem: /it is not JSON$/ },
    { name: 'half a body', body: '{"id":"movie_1",', problem: /it is not JSON$/ },
    { name: 'a list', body: '[]', problem: /the body: / },
    { name: 'null', body: 'null', problem: /the body: / },
    { name: 'no id', body: JSON.stringify({ ...movie, id: undefined }), problem: /id: / },
    { name: 'an id that would change a path', body: JSON.stringify({ ...movie, id: 'movie_1/../x' }), problem: /id: / },
    { name: 'a number for a status', body: JSON.stringify({ ...movie, status: 7 }), problem: /status: / },
    {
      name: 'half a percent',
      body: JSON.stringify({ ...movie, progress: { percent: 1.5 } }),
      problem: /progress\.percent: /,
    },
    { name: 'a date in words', body: JSON.stringify({ ...movie, created_at: 'today' }), problem: /created_at: / },
    {
      name: 'another movie',
      body: JSON.stringify({ ...movie, id: 'movie_2' }),
      problem: /it is about movie_2, asked about movie_1$/,
    },
  ])('$name', async ({ body, problem }) => {
    const api = await apiThat((_, response) => response.writeHead(200, { 'x-request-id': 'req_1' }).end(body));
    for (const call of [api.getMovie('movie_1'), api.cancelMovie('movie_1')]) {
      const broken = await failure<ContractError>(call);
      expect(broken).toMatchObject({ name: 'ContractError', status: 200, requestId: 'req_1' });
      expect(broken.message).toMatch(problem);
    }
  });

  test('an assets list with one broken item names the item', async () => {
    const api = await apiThat((_, response) =>
      json(response, 200, { data: [{ id: 'asset_1', type: 'final_video', url: 'not a url' }] }),
    );
    const broken = await failure<ContractError>(api.listAssets('movie_1'));
    expect(broken.message).toMatch(/^Cannot list the assets: the service answered 200, .*: data\.0\.url: /);
  });

  test('the body is kept for a caller, and not shown where errors are printed', async () => {
    const api = await apiThat((_, response) => json(response, 202, { id: 'movie_1', note: 'sensitive words' }));
    const broken = await failure<ContractError>(api.getMovie('movie_1'));
    expect(broken.body).toEqual({ id: 'movie_1', note: 'sensitive words' });
    expect(inspect(broken)).not.toContain('sensitive words');
    expect(JSON.stringify(broken)).not.toContain('sensitive words');
  });
});

test('fields and status words that the interface does not name are kept', async () => {
  const api = await apiThat((_, response) => json(response, 200, { ...movie, status: 'upscaling', mood: 'blue' }));
  expect(await api.getMovie('movie_1')).toEqual({ ...movie, status: 'upscaling', mood: 'blue' });
});

test('characters that no book can keep arrive as lost ones, whole ones as they are', async () => {
  const said = '{"id":"movie_1","status":"rendering","stage":"nul \\u0000, half \\ud83d, whole \\ud83c\\udfac 🎬"}';
  const odd = { ...JSON.parse(said), created_at: movie.created_at };
  const api = await apiThat((_, response) => json(response, 200, { ...movie, ...odd }));
  expect(await api.getMovie('movie_1')).toMatchObject({ stage: 'nul \uFFFD, half \uFFFD, whole 🎬 🎬' });
});

test('a long message is not cut through a character', async () => {
  const error = { code: 'bad', message: `${'x'.repeat(499)}🎬 and more`, request_id: 'req_1' };
  const api = await apiThat((_, response) => json(response, 400, { error }));
  expect((await failure<MovieApiError>(api.getMovie('movie_1'))).message).toMatch(/x{499}… \(request req_1\)$/);
});
