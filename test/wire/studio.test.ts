import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Agent } from 'undici';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAnswer } from '../../api/create-answer.js';
import { createMovieApi, type MovieApi } from '../../api/movie-api.js';
import { archiveMovie } from '../../archive/archive-movie.js';
import { createFileStore } from '../../archive/folder/file-store.js';
import { type ServedStudio, serveStudio } from '../../studio/serve.js';
import { someOrder } from '../archive/ordered-content.js';
import { createProxy, type Toxic, type WireProxy, type WireRequest } from './proxy.js';

// The studio makes its stub films in a process of its own, and a machine may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const apiKey = 'key-of-the-wire';
const body = JSON.stringify({
  prompt: 'A lighthouse at dusk, gulls above it',
  duration_seconds: 5,
  aspect_ratio: '9:16',
});
const never = new AbortController().signal;
const jobOf = (movieId: string) => ({
  ...{ folder: 'wire-1/a', movieId, order: someOrder, brief: {}, times: {} },
  asked: { durationSeconds: 5, aspectRatio: '9:16' } as const,
});

let folder: string;
let studio: ServedStudio;
let proxy: WireProxy;
let api: MovieApi;
let toxic: (request: WireRequest) => Toxic;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-wire-'));
  toxic = () => ({ kind: 'pass' });
  studio = await serveStudio({
    port: 0,
    dataFolder: join(folder, 'studio'),
    apiKeys: [apiKey],
    render: 'stub',
    books: true,
  });
  proxy = await createProxy(studio.port, (request) => toxic(request));
  const timeouts = { connectMs: 10_000, headersMs: 10_000, bodyMs: 10_000 };
  api = createMovieApi({ baseUrl: `http://127.0.0.1:${proxy.port}/v1`, apiKey, timeouts });
});
afterEach(async () => {
  await api.close();
  await proxy.close();
  await studio.close();
  await rm(folder, { recursive: true, force: true });
});

/** By the studio's own account. */
const creates = () => studio.studio.books().creates.map(({ idempotencyKey }) => idempotencyKey);
const order = (key: string) => createAnswer(api, body, key, never);
/** What one request meets; those that follow pass. */
function once(first: Toxic): void {
  let met = false;
  toxic = () => {
    if (met) return { kind: 'pass' };
    met = true;
    return first;
  };
}

describe('one order, one movie', () => {
  test('an answer that is lost n times over: one movie, and the repeat at last learns of it', async () => {
    toxic = ({ index }) => (index < 5 ? { kind: 'reset_after' } : { kind: 'pass' });
    for (let send = 0; send < 5; send += 1) expect(await order('order-0001')).toMatchObject({ kind: 'lost' });
    const answer = await order('order-0001');
    expect(answer).toMatchObject({ kind: 'movie', echo: 'matches' });
    expect(creates()).toEqual(['order-0001']);
    expect(proxy.requests).toHaveLength(6);
  });

  test('an answer that is cut at any byte is lost, whatever part of it came', async () => {
    const cuts = Array.from({ length: 60 }, (_, n) => n * 10);
    const keys: string[] = [];
    for (const afterBytes of cuts) {
      const key = `order-cut-${afterBytes}`;
      once({ kind: afterBytes % 20 === 0 ? 'cut' : 'end', afterBytes });
      const first = await order(key);
      const repeat = await order(key);
      expect(repeat).toMatchObject({ kind: 'movie', echo: 'matches' });
      // Past its end there is nothing left to cut.
      if (first.kind === 'movie') expect(first).toEqual(repeat);
      else expect(first.kind, key).toBe('lost');
      keys.push(key);
    }
    expect(creates()).toEqual(keys);
  });

  test('a request that never arrived made nothing, and is not proven to have made nothing', async () => {
    once({ kind: 'reset_before' });
    expect(await order('order-0001')).toMatchObject({ kind: 'lost' });
    expect(creates()).toEqual([]);
    expect(await order('order-0001')).toMatchObject({ kind: 'movie' });
    expect(creates()).toEqual(['order-0001']);
  });

  test('a studio that is away is proof that nothing was sent', async () => {
    await proxy.close();
    expect(await order('order-0001')).toMatchObject({ kind: 'not_connected' });
    expect(creates()).toEqual([]);
  });

  test('many orders side by side on a wire that breaks every third: as many movies as keys', async () => {
    const kinds: Toxic[] = [{ kind: 'reset_after' }, { kind: 'reset_before' }, { kind: 'cut', afterBytes: 120 }];
    toxic = ({ index }) => kinds[index % 9] ?? { kind: 'pass' };
    const keys = Array.from({ length: 40 }, (_, n) => `order-${n}-of-40`);
    const ids = await Promise.all(
      keys.map(async (key) => {
        for (let send = 0; send < 20; send += 1) {
          const answer = await order(key);
          if (answer.kind === 'movie') return answer.movieId;
          expect(answer.kind).toBe('lost');
        }
        return expect.unreachable('a third of the sends pass');
      }),
    );
    expect(new Set(ids).size).toBe(40);
    expect(creates().sort()).toEqual(keys.sort());
  });
});

describe('the other operations', () => {
  const breaking: Toxic[] = [{ kind: 'reset_before' }, { kind: 'reset_after' }, { kind: 'cut', afterBytes: 150 }];

  test.each(breaking)('fail on $kind without a second request, and work again after it', async (first) => {
    const movie = await api.createMovie(body, { idempotencyKey: 'order-0001' });
    const file = Buffer.from('A style guide in plain words.\n'.repeat(10_000));
    const calls: (() => Promise<unknown>)[] = [
      () => api.estimateMovie(JSON.parse(body)),
      () => api.getMovie(movie.id),
      () => api.listAssets(movie.id),
      () => api.cancelMovie(movie.id),
      () =>
        api.uploadReference({
          name: 'guide.txt',
          mimeType: 'text/plain',
          sizeBytes: file.length,
          open: () => Readable.from([file], { objectMode: false }),
        }),
    ];
    for (const call of calls) {
      once(first);
      const before = proxy.requests.length;
      await expect(call()).rejects.toMatchObject({ name: 'ConnectionError', sent: 'maybe' });
      expect(proxy.requests).toHaveLength(before + 1);
      await expect(call()).resolves.toBeTruthy();
    }
  });

  test('wait for an answer that is late', async () => {
    toxic = () => ({ kind: 'latency', delayMs: 50 });
    const { id } = await api.createMovie(body, { idempotencyKey: 'order-0001' });
    expect((await api.getMovie(id)).id).toBe(id);
  });
});

test('the files of a movie come whole over a wire that breaks under each of them', async () => {
  const { id } = await api.createMovie(body, { idempotencyKey: 'order-0001' });
  await vi.waitUntil(async () => (await api.getMovie(id)).status === 'completed', { timeout: 100_000, interval: 20 });
  const listAssets = async () =>
    (await api.listAssets(id)).map(({ id: assetId, type, url, mime_type }) => ({
      assetId,
      type,
      url: url.replace(`:${studio.port}/`, `:${proxy.port}/`),
      mimeType: mime_type ?? null,
    }));
  const broken = new Set<string>();
  toxic = ({ line }) => {
    if (!line.includes('/files/') || broken.has(line)) return { kind: 'pass' };
    broken.add(line);
    return { kind: broken.size % 2 === 0 ? 'cut' : 'end', afterBytes: 1_500 };
  };
  const store = await createFileStore(join(folder, 'out'));
  const dispatcher = new Agent();
  try {
    const archived = await archiveMovie({ store, listAssets, clock: Date.now, dispatcher }, jobOf(id));
    expect(archived.verdict).toBe('as ordered');
    expect(archived.files?.map(({ path }) => path)).toEqual([
      'wire-1/a/final.mp4',
      'wire-1/a/poster.jpg',
      'wire-1/a/storyboard.jpg',
      'wire-1/a/captions.vtt',
    ]);
    for (const { path, sizeBytes } of archived.files ?? []) {
      expect(await readFile(join(folder, 'out', path))).toHaveLength(sizeBytes);
    }
    expect(broken.size).toBe(4);
    expect(studio.studio.books().creates).toHaveLength(1);
  } finally {
    await dispatcher.destroy();
  }
});

test('a URL that ran out is renewed by the studio, and the files arrive', async () => {
  let nowMs = Date.now();
  const short = await serveStudio({
    port: 0,
    dataFolder: join(folder, 'short'),
    apiKeys: [apiKey],
    render: 'stub',
    assetUrlSeconds: 60,
    clock: () => nowMs,
  });
  const client = createMovieApi({ baseUrl: short.url, apiKey });
  const dispatcher = new Agent();
  try {
    const { id } = await client.createMovie(body, { idempotencyKey: 'order-0001' });
    await vi.waitUntil(async () => (await client.getMovie(id)).status === 'completed', {
      timeout: 100_000,
      interval: 20,
    });
    let listings = 0;
    const listAssets = async () => {
      const assets = await client.listAssets(id);
      listings += 1;
      // The first listing lies about until its URLs are no good.
      if (listings === 1) nowMs += 3_600_000;
      return assets.map(({ id: assetId, type, url }) => ({ assetId, type, url, mimeType: null }));
    };
    const archived = await archiveMovie(
      { store: await createFileStore(join(folder, 'out')), listAssets, clock: () => nowMs, dispatcher },
      jobOf(id),
    );
    expect(archived.verdict).toBe('as ordered');
    expect(listings).toBe(2);
  } finally {
    await dispatcher.destroy();
    await client.close();
    await short.close();
  }
});
