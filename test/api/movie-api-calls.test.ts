import type { IncomingHttpHeaders } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { createMovieApi, type MovieApi } from '../../api/movie-api.js';
import { bodyOf, json, movie, scriptedService } from './service.js';

const apiKey = 'sk-very-secret-0123';
const releases: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const release of releases.splice(0).reverse()) await release();
});

interface Seen {
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The same scripted answers over a port and from a service in this process. */
async function overBoth(answer: unknown, status = 200): Promise<{ readonly seen: Seen[]; readonly apis: MovieApi[] }> {
  const seen: Seen[] = [];
  const service = await scriptedService(async (request, response) => {
    const body = (await bodyOf(request)).toString();
    seen.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
    json(response, status, answer);
  });
  const inProcess = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const headers = Object.fromEntries(request.headers);
    seen.push({ line: `${request.method} ${pathname}`, headers, body: await request.text() });
    return Response.json(answer, { status });
  };
  const apis = [
    createMovieApi({ baseUrl: service.baseUrl, apiKey }),
    createMovieApi({ baseUrl: 'http://studio.test/v1/', apiKey, fetch: inProcess }),
  ];
  releases.push(service.close, ...apis.map((api) => () => api.close()));
  return { seen, apis };
}

const estimate = {
  estimated_credits: 10,
  estimated_runtime_seconds: 20,
  currency: 'USD',
  amount_minor: 500,
  assumptions: ['none'],
};
const asset = { id: 'asset_1', type: 'final_video', url: 'https://files.test/1?sig=x' };

describe('every operation asks its path with the key', () => {
  test.each<{
    line: string;
    answer: unknown;
    call: (api: MovieApi) => Promise<unknown>;
    result: unknown;
    body: string;
  }>([
    {
      line: 'POST /v1/movies/estimate',
      answer: estimate,
      call: (api) => api.estimateMovie({ prompt: movie.prompt }),
      result: estimate,
      body: JSON.stringify({ prompt: movie.prompt }),
    },
    {
      line: 'POST /v1/movies',
      answer: movie,
      call: (api) => api.createMovie('{ "prompt": "Café, gull 🐦" }', { idempotencyKey: 'gl_12345678' }),
      result: movie,
      body: '{ "prompt": "Café, gull 🐦" }',
    },
    { line: 'GET /v1/movies/movie_1', answer: movie, call: (api) => api.getMovie('movie_1'), result: movie, body: '' },
    {
      line: 'POST /v1/movies/movie_1/cancel',
      answer: movie,
      call: (api) => api.cancelMovie('movie_1'),
      result: movie,
      body: '',
    },
    {
      line: 'GET /v1/movies/movie_1/assets',
      answer: { data: [asset] },
      call: (api) => api.listAssets('movie_1'),
      result: [asset],
      body: '',
    },
  ])('$line', async ({ line, answer, call, result, body }) => {
    const { seen, apis } = await overBoth(answer);
    for (const api of apis) expect(await call(api)).toEqual(result);
    expect(seen.map((request) => [request.line, request.body])).toEqual([
      [line, body],
      [line, body],
    ]);
    for (const { headers } of seen) {
      expect(headers).toMatchObject({ authorization: `Bearer ${apiKey}`, accept: 'application/json' });
      expect(headers['content-type']).toBe(body ? 'application/json' : undefined);
      expect(headers['idempotency-key']).toBe(line === 'POST /v1/movies' ? 'gl_12345678' : undefined);
    }
  });
});

describe('arguments that the interface cannot carry are refused before anything is sent', () => {
  test.each(['', 'movie_', 'movie_1/cancel', '../movies', 'movie_1?x=1', 'movie_1\n', 'movie_%2e', 'movie_é'])(
    'movie id %j',
    async (movieId) => {
      const { seen, apis } = await overBoth(movie);
      for (const api of apis) {
        for (const ask of [api.getMovie, api.cancelMovie, api.listAssets]) {
          await expect(ask(movieId)).rejects.toThrow(RangeError);
        }
      }
      expect(seen).toEqual([]);
    },
  );

  test.each(['', 'gl_1234', 'x'.repeat(256), 'gl_1234 5678', 'gl_12345\r\nX-Evil: 1', 'gl_1234é678'])(
    'idempotency key %j',
    async (idempotencyKey) => {
      const { seen, apis } = await overBoth(movie);
      for (const api of apis) await expect(api.createMovie('{}', { idempotencyKey })).rejects.toThrow(RangeError);
      expect(seen).toEqual([]);
    },
  );

  test.each(['x'.repeat(8), 'x'.repeat(255)])('an idempotency key at the limit is sent', async (idempotencyKey) => {
    const { seen, apis } = await overBoth(movie);
    for (const api of apis) await api.createMovie('{}', { idempotencyKey });
    expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual([idempotencyKey, idempotencyKey]);
  });
});

describe('createMovieApi', () => {
  test.each(['', 'studio', 'ftp://host/v1', 'http://user:pw@host/v1', 'https://host/v1?key=1', 'https://host/v1#x'])(
    'refuses base URL %j',
    (baseUrl) => expect(() => createMovieApi({ baseUrl, apiKey })).toThrow(TypeError),
  );

  test.each(['', 'two words', 'line\nbreak', 'schlüssel'])('refuses key %j without repeating it', (bad) => {
    try {
      createMovieApi({ baseUrl: 'http://host/v1', apiKey: bad });
      expect.unreachable('the key should be refused');
    } catch (error) {
      expect(error).toBeInstanceOf(TypeError);
      if (bad) expect(String(error)).not.toContain(bad);
    }
  });

  test('drops slashes at the end of the base URL', () => {
    expect(createMovieApi({ baseUrl: 'http://host:81/a/v1//', apiKey }).baseUrl).toBe('http://host:81/a/v1');
  });
});
