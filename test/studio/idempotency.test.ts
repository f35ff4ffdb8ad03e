import { describe, expect, test } from 'vitest';
import { brief, codeOf, handClock, movieOf, openStudio } from './open-studio.js';

const headers = { 'idempotency-key': 'order-0001' };

describe('mode replay', () => {
  test('the same key and request find the movie of the first time, as it stands now', async () => {
    const clock = handClock();
    const { call, create, studio } = await openStudio({ clock, jobSeconds: 100 });
    const movie = await create(brief, { headers });
    clock.forward(20);
    const again = await call('POST', '/movies', { body: brief, headers });
    expect(again.status).toBe(202);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await movieOf(again)).toMatchObject({ id: movie, status: 'generating' });
    expect(studio.books().creates).toHaveLength(1);
  });

  test('a request that means the same is the same, however it is written', async () => {
    const { create } = await openStudio();
    const movie = await create({ prompt: brief.prompt }, { headers });
    expect(await create({ duration_seconds: 30, prompt: brief.prompt }, { headers })).toBe(movie);
  });

  test('another request under the same key is refused and makes nothing', async () => {
    const { call, create, studio } = await openStudio();
    await create(brief, { headers });
    const other = { ...brief, prompt: `${brief.prompt}!` };
    expect(await codeOf(await call('POST', '/movies', { body: other, headers }))).toBe('409 idempotency_conflict');
    expect(studio.books().creates).toHaveLength(1);
  });

  test('200 creates at once with one key make one movie', async () => {
    const { create, studio } = await openStudio();
    const ids = await Promise.all(Array.from({ length: 200 }, () => create(brief, { headers })));
    expect(new Set(ids).size).toBe(1);
    expect(studio.books().creates).toHaveLength(1);
  });

  test('200 creates at once with 200 keys make 200 movies', async () => {
    const { create, studio } = await openStudio();
    const keys = Array.from({ length: 200 }, (_, index) => `order-${1000 + index}`);
    const ids = await Promise.all(keys.map((key) => create(brief, { headers: { 'idempotency-key': key } })));
    expect(new Set(ids).size).toBe(200);
    expect(studio.books().creates.map(({ idempotencyKey }) => idempotencyKey)).toEqual(keys);
  });

  test('a refused request does not use up its key', async () => {
    const { call, create } = await openStudio();
    await call('POST', '/movies', { body: { prompt: 'short' }, headers });
    await create(brief, { headers });
  });

  test('a key is forgotten after 30 days', async () => {
    const clock = handClock();
    const { create } = await openStudio({ clock });
    const first = await create(brief, { headers });
    clock.forward(30 * 24 * 3600);
    expect(await create(brief, { headers })).toBe(first);
    clock.forward(1);
    expect(await create(brief, { headers })).not.toBe(first);
  });

  test('creates without a key are movies of their own', async () => {
    const { create } = await openStudio();
    expect(await create()).not.toBe(await create());
  });
});

test('mode conflict refuses a key that comes again, also with the same request', async () => {
  const { call, create, studio } = await openStudio({ idempotency: 'conflict' });
  await create(brief, { headers });
  expect(await codeOf(await call('POST', '/movies', { body: brief, headers }))).toBe('409 idempotency_conflict');
  expect(studio.books().creates).toHaveLength(1);
});

test('mode none makes a movie each time', async () => {
  const { create, studio } = await openStudio({ idempotency: 'none' });
  expect(await create(brief, { headers })).not.toBe(await create(brief, { headers }));
  expect(studio.books().creates).toHaveLength(2);
});

test.each([
  [7, '400 invalid_request'],
  [8, null],
  [255, null],
  [256, '400 invalid_request'],
])('a key of %i characters', async (length, refusal) => {
  const { call } = await openStudio();
  const response = await call('POST', '/movies', { body: brief, headers: { 'idempotency-key': 'k'.repeat(length) } });
  if (refusal === null) expect(response.status).toBe(202);
  else expect(await codeOf(response)).toBe(refusal);
});
