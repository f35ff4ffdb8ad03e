import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { AssetList, Movie } from '../../../api/contract.js';
import type { FaultScript } from '../../../studio/faults/script.js';
import type { StudioOptions } from '../../../studio/studio.js';
import { adminKey, assetsOf, brief, codeOf, errorOf, handClock, movieOf, openStudio } from '../open-studio.js';

type Rule = NonNullable<FaultScript['rules']>[number];

function open(rules: readonly Rule[], options: Partial<StudioOptions> = {}) {
  return openStudio({ faults: { rules: [...rules] }, ...options });
}

const headers = { 'idempotency-key': 'order-0001' };
const create = { body: brief, headers };

describe('on the wire', () => {
  test('reset_before: the request never arrives', async () => {
    const { call, studio } = await open([{ effect: 'reset_before', operation: 'createMovie' }]);
    await expect(call('POST', '/movies', create)).rejects.toThrow('fetch failed');
    expect(studio.books().creates).toEqual([]);
  });

  test('reset_after: the movie is made and billed, the answer is lost, and the repeat finds it', async () => {
    const { call, studio } = await open([{ effect: 'reset_after', operation: 'createMovie', calls: { to: 3 } }]);
    for (let count = 0; count < 3; count += 1)
      await expect(call('POST', '/movies', create)).rejects.toThrow('fetch failed');
    const answer = await call('POST', '/movies', create);
    expect(answer.headers.get('idempotent-replayed')).toBe('true');
    const { creates, requests } = studio.books();
    expect(creates.map(({ movieId }) => movieId)).toEqual([(await movieOf(answer)).id]);
    expect(requests.map(({ status, fault }) => [status, fault])).toEqual([
      ...Array.from({ length: 3 }, () => [null, 'reset_after']),
      [202, null],
    ]);
  });

  test('stall: nothing comes until the client gives up; nothing was done', async () => {
    const { call, studio } = await open([{ effect: 'stall', operation: 'createMovie' }]);
    const leaving = new AbortController();
    const calling = call('POST', '/movies', { ...create, signal: leaving.signal }).catch(
      (error: Error) => error.message,
    );
    await setImmediate();
    leaving.abort();
    expect(await calling).toBe('fetch failed');
    expect(studio.books().creates).toEqual([]);
  });

  test('stall after the work: the movie is made', async () => {
    const { call, studio } = await open([{ effect: 'stall', operation: 'createMovie', done: true }]);
    const leaving = new AbortController();
    const calling = call('POST', '/movies', { ...create, signal: leaving.signal }).catch(
      (error: Error) => error.message,
    );
    while (studio.books().creates.length === 0) await setImmediate();
    leaving.abort();
    expect(await calling).toBe('fetch failed');
  });

  test('stall for a time: the answer comes late', async () => {
    const { call } = await open([{ effect: 'stall', operation: 'createMovie', seconds: 0.01 }]);
    expect((await call('POST', '/movies', create)).status).toBe(202);
  });

  test.each<[string, Rule, string | null]>([
    ['in seconds', { effect: 'status', status: 429, retryAfter: 7 }, '7'],
    [
      'as a date',
      { effect: 'status', status: 429, retryAfter: { dateInSeconds: 90 } },
      'Thu, 01 Jan 2026 00:01:30 GMT',
    ],
    ['in words', { effect: 'status', status: 429, retryAfter: 'soon' }, 'soon'],
    ['missing', { effect: 'status', status: 429 }, null],
  ])('status 429 with Retry-After %s', async (_, rule, expected) => {
    const { call } = await open([rule], { clock: handClock() });
    const answer = await call('POST', '/movies', create);
    expect(answer.headers.get('retry-after')).toBe(expected);
    expect(await codeOf(answer)).toBe('429 injected_fault');
  });

  test('status: with a code and message of its own, before the work or after it', async () => {
    const rule = {
      effect: 'status',
      operation: 'createMovie',
      status: 500,
      code: 'oops',
      message: 'Try again',
    } as const;
    const before = await open([rule]);
    expect(await errorOf(await before.call('POST', '/movies', create))).toEqual({
      code: '500 oops',
      message: 'Try again',
    });
    expect(before.studio.books().creates).toEqual([]);
    const after = await open([{ ...rule, done: true }]);
    expect(await codeOf(await after.call('POST', '/movies', create))).toBe('500 oops');
    expect(after.studio.books().creates).toHaveLength(1);
  });

  test.each([200, 502] as const)('html: the page of a proxy, with %i', async (status) => {
    const { call, studio } = await open([{ effect: 'html', operation: 'createMovie', status }]);
    const answer = await call('POST', '/movies', create);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
    expect(await answer.text()).toMatch(/^<!doctype html>/);
    expect(studio.books().creates).toEqual([]);
  });

  test('truncate: the whole length is announced, a part is sent', async () => {
    const opened = await open([{ effect: 'truncate', operation: 'getMovie', keepBytes: 12 }]);
    const answer = await opened.call('GET', `/movies/${await opened.create()}`);
    const chunks: Uint8Array[] = [];
    const reading = (async () => {
      for await (const chunk of answer.body ?? []) chunks.push(chunk);
    })();
    await expect(reading).rejects.toThrow('fetch failed');
    expect(Buffer.concat(chunks).toString()).toBe('{"id":"movie');
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(100);
  });

  test.each([
    ['not_json', (text: string) => expect(() => JSON.parse(text)).toThrow()],
    ['empty', (text: string) => expect(text).toBe('')],
    ['other_shape', (text: string) => expect(Movie.safeParse(JSON.parse(text)).success).toBe(false)],
    ['wrong_types', (text: string) => expect(Movie.safeParse(JSON.parse(text)).success).toBe(false)],
  ] as const)('garbage %s: the movie is made, the answer is of no use', async (kind, judge) => {
    const { call, studio } = await open([{ effect: 'garbage', operation: 'createMovie', kind }]);
    const answer = await call('POST', '/movies', create);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([202, 'application/json']);
    judge(await answer.text());
    expect(studio.books().creates).toHaveLength(1);
  });

  test('garbage of a download: the right length, other bytes', async () => {
    const { call, create: made } = await open([{ effect: 'garbage', operation: 'downloadAsset', calls: 1 }]);
    const [asset] = await assetsOf(await call('GET', `/movies/${await made()}/assets`));
    const download = async () => Buffer.from(await (await call('GET', asset?.url ?? '', { key: '' })).arrayBuffer());
    const [spoilt, right] = [await download(), await download()];
    expect(spoilt.length).toBe(right.length);
    expect(spoilt.equals(right)).toBe(false);
  });
});

describe('in what a movie shows', () => {
  test('word: a status that the interface does not know, at one look', async () => {
    const opened = await open([{ effect: 'word', calls: 2 }]);
    const movie = await opened.create();
    expect([await opened.statusOf(movie), await opened.statusOf(movie), await opened.statusOf(movie)]).toEqual([
      'completed',
      'upscaling',
      'completed',
    ]);
    expect(opened.studio.books().movies[0]?.status).toBe('completed');
  });

  test('regress: the status goes back, for each movie at its own second look', async () => {
    const opened = await open([{ effect: 'regress', to: 'planning', calls: 2, each: 'movie' }]);
    const [one, two] = [await opened.create(), await opened.create()];
    const seen = [];
    for (const movie of [one, two, one, two, one]) seen.push(await opened.statusOf(movie));
    expect(seen).toEqual(['completed', 'completed', 'planning', 'planning', 'completed']);
  });

  test('echo: another brief is shown than was ordered', async () => {
    const { call } = await open([{ effect: 'echo', text: 'Not what was asked' }]);
    const created = await movieOf(await call('POST', '/movies', create));
    expect(created.prompt).toBe('Not what was asked');
    expect((await movieOf(await call('GET', `/movies/${created.id}`))).prompt).toBe('Not what was asked');
  });
});

describe('in a movie’s life', () => {
  test.each(['queued', 'planning', 'generating', 'rendering'] as const)('stuck in %s for a year', async (at) => {
    const clock = handClock();
    const opened = await open([{ effect: 'stuck', at }], { clock, jobSeconds: 10 });
    const movie = await opened.create();
    clock.forward(365 * 24 * 3600);
    expect(await opened.statusOf(movie)).toBe(at);
    await opened.call('POST', `/movies/${movie}/cancel`);
    expect(await opened.statusOf(movie)).toBe('canceled');
  });

  test('fail: with a code and message, at its time', async () => {
    const clock = handClock();
    const opened = await open([{ effect: 'fail', at: 'generating', code: 'moderation', message: 'Not allowed' }], {
      clock,
      jobSeconds: 100,
    });
    const movie = await opened.create();
    clock.forward(14);
    expect(await opened.statusOf(movie)).toBe('planning');
    clock.forward(1);
    expect(await movieOf(await opened.call('GET', `/movies/${movie}`))).toMatchObject({
      status: 'failed',
      error: { code: 'moderation', message: 'Not allowed', request_id: expect.stringMatching(/^req_/) },
    });
    expect(await assetsOf(await opened.call('GET', `/movies/${movie}/assets`))).toEqual([]);
  });

  test('a movie that is to fail or hang is not rendered', async () => {
    const clock = handClock();
    const opened = await open([{ effect: 'fail' }], { clock, render: 'draft' });
    const movie = await opened.create();
    clock.forward(1);
    expect(await opened.statusOf(movie)).toBe('failed');
  });

  test('ignore_cancel: the cancel is answered, and the movie goes on', async () => {
    const clock = handClock();
    const opened = await open([{ effect: 'ignore_cancel' }], { clock, jobSeconds: 10 });
    const movie = await opened.create();
    const answer = await opened.call('POST', `/movies/${movie}/cancel`);
    expect([answer.status, (await movieOf(answer)).status]).toEqual([200, 'queued']);
    clock.forward(10);
    expect(await opened.statusOf(movie)).toBe('completed');
  });
});

describe('in the files', () => {
  test('no_assets: completed without a final video', async () => {
    const opened = await open([{ effect: 'no_assets' }]);
    const assets = await assetsOf(await opened.call('GET', `/movies/${await opened.create()}/assets`));
    expect(assets.map(({ type }) => type)).toEqual(['poster', 'storyboard', 'captions']);
  });

  test('late_assets: for some listings, or for some time after the end', async () => {
    const clock = handClock();
    const listings = await open([{ effect: 'late_assets', calls: { to: 2 }, each: 'movie' }]);
    const movie = await listings.create();
    const counts = [];
    for (let count = 0; count < 3; count += 1)
      counts.push((await assetsOf(await listings.call('GET', `/movies/${movie}/assets`))).length);
    expect(counts).toEqual([0, 0, 4]);

    const timed = await open([{ effect: 'late_assets', seconds: 30 }], { clock });
    const late = await timed.create();
    clock.forward(29);
    expect(await assetsOf(await timed.call('GET', `/movies/${late}/assets`))).toEqual([]);
    clock.forward(1);
    expect(await assetsOf(await timed.call('GET', `/movies/${late}/assets`))).toHaveLength(4);
  });

  test('expired_urls: a listing whose URLs are over, and a fresh one at the next', async () => {
    const opened = await open([{ effect: 'expired_urls', calls: 1 }]);
    const movie = await opened.create();
    const download = async () => {
      const [asset] = AssetList.parse(await (await opened.call('GET', `/movies/${movie}/assets`)).json()).data;
      return opened.call('GET', asset?.url ?? '', { key: '' });
    };
    expect(await codeOf(await download())).toBe('403 url_expired');
    expect((await download()).status).toBe(200);
  });

  test('wrong_movie: of another ratio or length, or empty', async () => {
    const rules: Rule[] = (['ratio', 'length', 'empty'] as const).map((wrong) => ({
      effect: 'wrong_movie',
      wrong,
      prompt: `^${wrong}`,
    }));
    const opened = await open(rules);
    const video = async (name: string) => {
      const movie = await opened.create({ ...brief, prompt: `${name}, a boat` });
      return (await assetsOf(await opened.call('GET', `/movies/${movie}/assets`)))[0];
    };
    const right = await video('right');
    const [width, height] = [right?.width ?? 0, right?.height ?? 0];
    expect(width).toBeGreaterThan(height);
    const ratio = await video('ratio');
    expect(ratio?.width).toBeLessThan(ratio?.height ?? 0);
    expect((await video('length'))?.duration_seconds).toBe(15);
    const empty = await opened.call('GET', (await video('empty'))?.url ?? '', { key: '' });
    expect([empty.status, empty.headers.get('content-length')]).toEqual([200, '0']);
  });
});

test('faults are changed while the studio runs, by whoever has the admin key', async () => {
  const { call, studio } = await openStudio();
  const put = (body: unknown) => call('PUT', 'http://studio.test/_studio/faults', { body, key: adminKey });
  expect((await put({ rules: [{ effect: 'status', status: 503 }] })).status).toBe(204);
  expect(await codeOf(await call('GET', '/movies/movie_1'))).toBe('503 injected_fault');
  const refused = await errorOf(await put({ rules: [{ effect: 'explode' }] }));
  expect(refused).toEqual({ code: '400 invalid_request', message: expect.stringContaining('rules[0].effect') });
  studio.setFaults({});
  expect(await codeOf(await call('GET', '/movies/movie_1'))).toBe('404 not_found');
});

test('what a movie suffers from survives a restart', async () => {
  const clock = handClock();
  const { temporaryFolder } = await import('../open-studio.js');
  const dataFolder = await temporaryFolder();
  const first = await open([{ effect: 'stuck' }], { dataFolder, clock, jobSeconds: 1 });
  const movie = await first.create();
  await first.studio.close();
  clock.forward(100);
  const second = await openStudio({ dataFolder, clock });
  expect(await second.statusOf(movie)).toBe('rendering');
});
