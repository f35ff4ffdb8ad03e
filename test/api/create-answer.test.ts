import type { ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { createAnswer } from '../../api/create-answer.js';
import { createMovieApi } from '../../api/movie-api.js';
import { json, movie, scriptedService } from './service.js';

const idempotencyKey = 'gl_0123456789';
const order = { prompt: movie.prompt, duration_seconds: 10, aspect_ratio: '16:9' };

const releases: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const release of releases.splice(0).reverse()) await release();
});

async function answerTo(respond: (response: ServerResponse) => void, sent: object = order) {
  const service = await scriptedService((_, response) => respond(response));
  const api = createMovieApi({ baseUrl: service.baseUrl, apiKey: 'sk-1' });
  releases.push(service.close, () => api.close());
  return createAnswer(api, JSON.stringify(sent), idempotencyKey, undefined);
}

const refusal = { error: { code: 'no', message: 'because', request_id: 'req_1' } };

test.each([202, 200, 201])('%i with a movie is a movie', async (status) => {
  const answer = await answerTo((response) => json(response, status, movie));
  expect(answer).toEqual({ kind: 'movie', movieId: 'movie_1', echo: 'matches', requestId: null });
});

test.each<{ name: string; sent: object; answered: object; echo: string }>([
  { name: 'another prompt', sent: order, answered: { ...movie, prompt: 'Something else' }, echo: 'differs' },
  { name: 'another length', sent: order, answered: { ...movie, duration_seconds: 11 }, echo: 'differs' },
  { name: 'another ratio', sent: order, answered: { ...movie, aspect_ratio: '1:1' }, echo: 'differs' },
  {
    name: 'no word of it',
    sent: order,
    answered: { ...movie, prompt: undefined, duration_seconds: undefined },
    echo: 'matches',
  },
  { name: 'a ratio that was left to the service', sent: { prompt: movie.prompt }, answered: movie, echo: 'matches' },
])('an echo with $name $echo', async ({ sent, answered, echo }) => {
  expect(await answerTo((response) => json(response, 202, answered), sent)).toMatchObject({ kind: 'movie', echo });
});

test('an id makes a movie followable whatever else is wrong with the answer', async () => {
  const answer = await answerTo((response) => json(response, 202, { id: 'movie_7', prompt: 5 }));
  expect(answer).toEqual({ kind: 'movie', movieId: 'movie_7', echo: 'differs', requestId: null });
});

test.each(['', '<html>', '{}', 'null', '{"id":"movie_"}', '{"id":7}'])('202 with %j is broken', async (body) => {
  const answer = await answerTo((response) => response.writeHead(202, { 'x-request-id': 'req_1' }).end(body));
  expect(answer).toEqual({ kind: 'broken', requestId: 'req_1' });
});

test.each(['', '<html>', '{}'])('200 with %j proves nothing', async (body) => {
  expect(await answerTo((response) => response.writeHead(200).end(body))).toMatchObject({ kind: 'lost' });
});

test.each([400, 401, 402, 403, 404, 409, 413, 415, 422, 451])('%i is a refusal', async (status) => {
  expect(await answerTo((response) => json(response, status, refusal))).toEqual({
    kind: 'refused',
    status,
    code: 'no',
    message: `Cannot create the movie: the service answered ${status} no: because (request req_1)`,
    retryAfterMs: null,
    requestId: 'req_1',
  });
});

test("429 carries its wait, also on a proxy's page", async () => {
  const answer = await answerTo((response) => response.writeHead(429, { 'retry-after': '3' }).end('<html>'));
  expect(answer).toMatchObject({ kind: 'refused', status: 429, code: null, retryAfterMs: 3_000 });
});

test.each([301, 307, 408, 500, 502, 503, 504])('%i proves nothing about what was done', async (status) => {
  const answer = await answerTo((response) => json(response, status, refusal, { 'retry-after': '3' }));
  const message = `Cannot create the movie: the service answered ${status} no: because, retry after 3 s (request req_1)`;
  const answered = { status, code: 'no', message };
  expect(answer).toEqual({ kind: 'lost', retryAfterMs: 3_000, answered, requestId: 'req_1' });
});

test('a connection that ends is lost', async () => {
  expect(await answerTo((response) => response.destroy())).toEqual({ kind: 'lost', requestId: null });
});

test('no connection is a proof', async () => {
  const api = createMovieApi({ baseUrl: 'http://nowhere.invalid/v1', apiKey: 'sk-1' });
  releases.push(() => api.close());
  const answer = await createAnswer(api, '{}', idempotencyKey, undefined);
  expect(answer).toEqual({ kind: 'not_connected', requestId: null });
});

test('a body that is not JSON and a key that no header carries are refused before anything is sent', async () => {
  let asked = 0;
  const service = await scriptedService((_, response) => {
    asked += 1;
    json(response, 202, movie);
  });
  const api = createMovieApi({ baseUrl: service.baseUrl, apiKey: 'sk-1' });
  releases.push(service.close, () => api.close());
  await expect(createAnswer(api, '{', idempotencyKey, undefined)).rejects.toThrow(SyntaxError);
  await expect(createAnswer(api, '{}', 'short', undefined)).rejects.toThrow(RangeError);
  expect(asked).toBe(0);
});
