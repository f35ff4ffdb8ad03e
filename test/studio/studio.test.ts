import { describe, expect, onTestFinished, test } from 'vitest';
import { Asset, Estimate, Movie, Reference } from '../../api/contract.js';
import type { FaultScript } from '../../studio/faults/script.js';
import { probeReference } from '../../studio/render/render.js';
import type { Renderer } from '../../studio/render/renderer.js';
import { createStudio } from '../../studio/studio.js';
import {
  adminKey,
  apiKey,
  assetsOf,
  brief,
  callsOf,
  codeOf,
  errorOf,
  handClock,
  movieOf,
  openStudio,
  otherKey,
  temporaryFolder,
} from './open-studio.js';

describe('create', () => {
  test('answers 202 with a queued movie in the shape of the interface', async () => {
    const { call } = await openStudio();
    const response = await call('POST', '/movies', { body: { prompt: 'ten chars!' } });
    expect(response.status).toBe(202);
    const movie = Movie.parse(await response.json());
    expect(movie).toMatchObject({ status: 'queued', duration_seconds: 30, aspect_ratio: '16:9', prompt: 'ten chars!' });
    expect(movie.progress).toEqual({ percent: 0, stage: 'queued' });
  });

  test('names every problem of a request at once', async () => {
    const { call, studio } = await openStudio();
    const body = { prompt: 'short', duration_seconds: 4, aspect_ratio: '3:2', colour: 'red', references: [{}] };
    const response = await call('POST', '/movies', { body });
    expect(response.status).toBe(400);
    const { message } = await errorOf(response);
    for (const field of ['prompt', 'duration_seconds', 'aspect_ratio', 'colour', 'references[0].role']) {
      expect(message).toContain(field);
    }
    expect(studio.books().creates).toEqual([]);
  });

  test.each([
    ['not JSON', '{"prompt":', 'application/json', '400 invalid_request'],
    ['an array', '[]', 'application/json', '400 invalid_request'],
    ['a lone surrogate', '{"prompt":"0123456789\\ud800"}', 'application/json', '400 invalid_request'],
    ['a form', 'prompt=0123456789', 'application/x-www-form-urlencoded', '415 unsupported_media_type'],
    ['more than 512 KiB', `"${'x'.repeat(600_000)}"`, 'application/json', '413 payload_too_large'],
  ])('refuses a body that is %s', async (_, body, contentType, expected) => {
    const { call } = await openStudio();
    expect(await codeOf(await call('POST', '/movies', { body, headers: { 'content-type': contentType } }))).toBe(
      expected,
    );
  });

  test('refuses a reference that this key has not uploaded, by its place', async () => {
    const { call } = await openStudio();
    const body = { ...brief, references: [{ reference_id: 'ref_unknown', role: 'product' }] };
    const response = await call('POST', '/movies', { body });
    expect(response.status).toBe(400);
    expect((await errorOf(response)).message).toContain('references[0].reference_id');
  });
});

describe('jobs by the clock', () => {
  test('six hours of job pass when the clock jumps six hours', async () => {
    const clock = handClock();
    const { create, statusOf, studio } = await openStudio({ clock, jobSeconds: 6 * 3600 });
    const movie = await create();
    const seen = [await statusOf(movie)];
    for (const minutes of [30, 60, 150, 120]) {
      clock.forward(minutes * 60);
      seen.push(await statusOf(movie));
    }
    expect(seen).toEqual(['queued', 'planning', 'generating', 'rendering', 'completed']);
    expect(studio.books().movies[0]).toMatchObject({ status: 'completed', endedMs: clock() });
  });

  test('the length of a job may depend on the movie', async () => {
    const clock = handClock();
    const { create, statusOf } = await openStudio({
      clock,
      jobSeconds: ({ duration_seconds }) => duration_seconds * 2,
    });
    const [short, long] = [await create(), await create({ ...brief, duration_seconds: 60 })];
    clock.forward(10);
    expect([await statusOf(short), await statusOf(long)]).toEqual(['completed', 'planning']);
  });

  test('a canceled movie stays canceled, and a completed one cannot be canceled', async () => {
    const clock = handClock();
    const { create, call, statusOf } = await openStudio({ clock, jobSeconds: 100 });
    const [stopped, finished] = [await create(), await create()];
    clock.forward(20);
    const canceled = await (await call('POST', `/movies/${stopped}/cancel`)).json();
    expect(canceled).toMatchObject({
      status: 'canceled',
      progress: { percent: 20 },
      updated_at: new Date(clock()).toISOString(),
    });
    clock.forward(1000);
    const again = await call('POST', `/movies/${finished}/cancel`);
    expect([again.status, (await movieOf(again)).status]).toEqual([200, 'completed']);
    expect(await statusOf(stopped)).toBe('canceled');
  });
});

describe('assets', () => {
  test('are none before the end, and then the final video first, with ids that stay and URLs that do not', async () => {
    const clock = handClock();
    const { create, call } = await openStudio({ clock, jobSeconds: 10 });
    const movie = await create();
    const list = async () => assetsOf(await call('GET', `/movies/${movie}/assets`));
    expect(await list()).toEqual([]);
    clock.forward(10);
    const first = await list();
    clock.forward(5);
    const second = await list();
    expect(Asset.parse(first[0])).toMatchObject({ type: 'final_video', mime_type: 'video/mp4', duration_seconds: 5 });
    expect(second.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
    expect(second[0]?.url).not.toBe(first[0]?.url);
  });

  test('of a canceled movie are none', async () => {
    const { create, call } = await openStudio({ clock: handClock(), jobSeconds: 10 });
    const movie = await create();
    await call('POST', `/movies/${movie}/cancel`);
    expect(await (await call('GET', `/movies/${movie}/assets`)).json()).toEqual({ data: [] });
  });
});

describe('keys', () => {
  test.each([
    ['no header', { key: '' }],
    ['an unknown key', { key: 'nobody' }],
    ['another scheme', { key: '', headers: { authorization: `Basic ${apiKey}` } }],
    ['a key and more', { key: '', headers: { authorization: `Bearer ${apiKey} x` } }],
  ])('%s is refused on every operation', async (_, options) => {
    const { call, create } = await openStudio();
    const movie = await create();
    const calls = [
      ['POST', '/references'],
      ['POST', '/movies/estimate'],
      ['POST', '/movies'],
      ['GET', `/movies/${movie}`],
      ['POST', `/movies/${movie}/cancel`],
      ['GET', `/movies/${movie}/assets`],
      ['GET', 'http://studio.test/_studio/books'],
      ['PUT', 'http://studio.test/_studio/faults'],
    ] as const;
    for (const [method, path] of calls)
      expect(await codeOf(await call(method, path, options))).toBe('401 unauthorized');
  });

  test.each([
    ['GET', '/_studio/books'],
    ['PUT', '/_studio/faults'],
  ])('open neither books nor faults (%s %s)', async (method, path) => {
    const { call } = await openStudio();
    const answer = await call(method, `http://studio.test${path}`);
    expect(await errorOf(answer)).toEqual({
      code: '403 forbidden',
      message: 'Cannot let request in: this needs the admin key, an API key is not enough',
    });
    const closed = await createStudio({ dataFolder: await temporaryFolder(), apiKeys: [apiKey], books: true });
    onTestFinished(() => closed.close());
    const without = callsOf((request) => closed.fetch(request), 'http://studio.test/v1');
    expect(await codeOf(await without.call(method, `http://studio.test${path}`))).toBe('404 not_found');
  });

  test('the admin key opens the books, and makes no movie', async () => {
    const { call } = await openStudio();
    expect((await call('GET', 'http://studio.test/_studio/books', { key: adminKey })).status).toBe(200);
    expect(await codeOf(await call('POST', '/movies', { body: brief, key: adminKey }))).toBe('401 unauthorized');
  });

  test('do not see each other: movies, references and idempotency keys', async () => {
    const { call, create, studio } = await openStudio();
    const form = new FormData();
    form.set('file', new Blob(['hello']));
    const reference = Reference.parse(await (await call('POST', '/references', { body: form })).json());
    const headers = { 'idempotency-key': 'the-same-key' };
    const movie = await create(brief, { headers });
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/cancel'],
      ['GET', '/assets'],
    ] as const) {
      expect(await codeOf(await call(method, `/movies/${movie}${path}`, { key: otherKey }))).toBe('404 not_found');
    }
    const body = { ...brief, references: [{ reference_id: reference.id, role: 'other' }] };
    expect((await call('POST', '/movies', { body })).status).toBe(202);
    expect(await codeOf(await call('POST', '/movies', { body, key: otherKey }))).toBe('400 invalid_request');
    expect(await create(brief, { headers, key: otherKey })).not.toBe(movie);
    expect(new Set(studio.books().creates.map(({ key }) => key)).size).toBe(2);
  });

  test('are kept and shown as hashes only', async () => {
    const { create, studio } = await openStudio();
    await create();
    expect(JSON.stringify(studio.books())).not.toContain(apiKey);
  });
});

test.each([
  ['GET', '/movies/movie_nobody', '404 not_found'],
  ['GET', '/movies/movie_', '400 invalid_request'],
  ['GET', '/movies/movie_a%2Fb', '400 invalid_request'],
  ['GET', '/movies/..%2F..%2Fetc%2Fpasswd', '400 invalid_request'],
  ['POST', '/movies/ref_1/cancel', '400 invalid_request'],
  ['DELETE', '/movies/movie_1', '405 method_not_allowed'],
  ['GET', '/movies', '405 method_not_allowed'],
  ['GET', '/movies/estimate', '405 method_not_allowed'],
  ['GET', '/nothing', '404 not_found'],
])('%s %s is answered with %s', async (method, path, expected) => {
  const { call } = await openStudio();
  expect(await codeOf(await call(method, path))).toBe(expected);
});

test('an estimate depends on length, ratio and number of references, and on nothing else', async () => {
  const { call } = await openStudio();
  const estimate = async (body: object) => {
    const response = await call('POST', '/movies/estimate', { body: { ...brief, ...body } });
    expect(response.status).toBe(200);
    return Estimate.parse(await response.json());
  };
  const base = await estimate({});
  expect(base).toMatchObject({ estimated_credits: 1, amount_minor: 50, currency: 'USD' });
  expect(await estimate({ prompt: 'Something else entirely', style: 'noir' })).toEqual(base);
  expect(await estimate({ duration_seconds: 120, aspect_ratio: '4:5' })).toMatchObject({ amount_minor: 1800 });
});

test('two studios cannot open one folder', async () => {
  const dataFolder = await temporaryFolder();
  await openStudio({ dataFolder });
  await expect(createStudio({ dataFolder, apiKeys: [apiKey] })).rejects.toThrow('another studio has it open');
});

test('a fault script that is none is refused, and the folder stays free', async () => {
  const dataFolder = await temporaryFolder();
  const faults = { rules: [{ effect: 'explode' }] } as unknown as FaultScript;
  await expect(createStudio({ dataFolder, apiKeys: [apiKey], faults })).rejects.toThrow('effect');
  await openStudio({ dataFolder });
});

test('a closed studio answers no more', async () => {
  const { studio, call } = await openStudio();
  await studio.close();
  await expect(call('GET', '/movies/movie_1')).rejects.toThrow('the studio is closed');
});

test('an error of its own is answered as such, told to whoever runs it, and says nothing of the inside', async () => {
  const errors: unknown[] = [];
  const renderer: Renderer = {
    probeReference,
    renderFilm: () => Promise.reject(new Error('disk of /secret/place is full')),
  };
  const { create, call } = await openStudio({ renderer, onError: (error) => errors.push(error) });
  const answer = await call('GET', `/movies/${await create()}/assets`);
  expect(await errorOf(answer)).toEqual({
    code: '500 internal_error',
    message: 'Cannot serve request: the studio failed',
  });
  expect(errors).toMatchObject([{ message: 'disk of /secret/place is full' }]);
});
