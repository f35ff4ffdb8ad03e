import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { Agent } from 'undici';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Archived, type ArchiveJob, type ArchiveOptions, archiveMovie } from '../../archive/archive-movie.js';
import type { ArchiveStore } from '../../archive/archive-store.js';
import { createFileStore } from '../../archive/folder/file-store.js';
import { cutAfter, type Deed, says } from './file-server.js';
import { film } from './film.js';
import { type MovieService, movieService, secret } from './movie-service.js';
import { someOrder } from './ordered-content.js';
import { smallDisk } from './small-disk.js';

const job: ArchiveJob = {
  folder: 'spring-1/hero',
  movieId: 'movie_1',
  asked: { durationSeconds: 5, aspectRatio: '16:9' },
  order: someOrder,
  brief: { id: 'hero', prompt: 'A lighthouse at dusk' },
  times: { finished_at: '2026-11-03T10:00:00.000Z' },
};
const nowMs = Date.parse('2026-11-03T10:05:00Z');
const names = ['captions.vtt', 'final.mp4', 'movie.json', 'poster.jpg', 'storyboard.jpg'];

let folder: string;
let store: ArchiveStore;
let dispatcher: Agent;
const releases: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-archive-'));
  store = await createFileStore(folder);
  dispatcher = new Agent();
  releases.push(
    () => rm(folder, { recursive: true, force: true }),
    () => dispatcher.destroy(),
  );
});
afterEach(async () => {
  for (const release of releases.splice(0).reverse()) await release();
});

async function service(deedFor?: (assetId: string, nth: number) => Deed | undefined): Promise<MovieService> {
  const started = await movieService(deedFor);
  releases.push(() => started.files.close());
  return started;
}

function archive(from: MovieService, options?: ArchiveOptions, into = store): Promise<Archived> {
  return archiveMovie(
    { store: into, listAssets: () => from.listAssets(), clock: () => nowMs, dispatcher },
    job,
    options,
  );
}

async function failure(archiving: Promise<unknown>): Promise<Error> {
  const error = await archiving.then(
    () => expect.unreachable('archiving should have failed'),
    (reason: unknown) => reason,
  );
  expect(inspect(error, { depth: null, showHidden: true })).not.toContain(secret);
  return error as Error; // whatever is thrown here is one
}

const inFolder = (name: string) => join(folder, job.folder, name);
const record = async (name = 'movie.json') => JSON.parse(await readFile(inFolder(name), 'utf8'));
const hash = (bytes: Buffer | undefined) =>
  createHash('sha256')
    .update(bytes ?? '')
    .digest('hex');
const bytesOf = (from: MovieService, assetId: string) => from.files.files.get(`/${assetId}`)?.bytes ?? Buffer.alloc(0);

async function expectArchived(from: MovieService, result: Archived): Promise<void> {
  const file = (assetId: string, type: string, name: string, mimeType: string) => {
    const bytes = bytesOf(from, assetId);
    return { assetId, type, path: `${job.folder}/${name}`, sizeBytes: bytes.length, sha256: hash(bytes), mimeType };
  };
  expect(result).toEqual({
    verdict: 'as ordered',
    files: [
      file('asset_film', 'final_video', 'final.mp4', 'video/mp4'),
      file('asset_poster', 'poster', 'poster.jpg', 'image/jpeg'),
      file('asset_board', 'storyboard', 'storyboard.jpg', 'image/jpeg'),
      file('asset_words', 'captions', 'captions.vtt', 'text/vtt'),
    ],
  });
  expect((await readdir(join(folder, job.folder))).sort()).toEqual(names);
  for (const { assetId, path } of result.files ?? []) {
    expect((await readFile(join(folder, path))).equals(bytesOf(from, assetId))).toBe(true);
  }
}

test('all files get their names, and movie.json proves it', async () => {
  const from = await service();
  await expectArchived(from, await archive(from));
  const written = await readFile(inFolder('movie.json'), 'utf8');
  expect(written).not.toContain(secret);
  expect(JSON.parse(written)).toEqual({
    movie_id: 'movie_1',
    order: { service: someOrder.service, content_digest: someOrder.contentDigest },
    brief: { id: 'hero', prompt: 'A lighthouse at dusk' },
    asked: { duration_seconds: 5, aspect_ratio: '16:9' },
    verdict: 'as ordered',
    measured: {
      container: 'MP4',
      video_codec: 'avc',
      audio_codec: null,
      width: 320,
      height: 180,
      duration_seconds: 5,
    },
    files: [
      {
        asset_id: 'asset_film',
        type: 'final_video',
        path: 'final.mp4',
        size_bytes: bytesOf(from, 'asset_film').length,
        sha256: hash(bytesOf(from, 'asset_film')),
        mime_type: 'video/mp4',
      },
      expect.objectContaining({ asset_id: 'asset_poster', path: 'poster.jpg' }),
      expect.objectContaining({ asset_id: 'asset_board', path: 'storyboard.jpg' }),
      expect.objectContaining({ asset_id: 'asset_words', path: 'captions.vtt' }),
    ],
    not_given: [],
    times: { finished_at: '2026-11-03T10:00:00.000Z', archived_at: '2026-11-03T10:05:00.000Z' },
  });
});

test('done once, it is done: the service is not asked again', async () => {
  const from = await service();
  const first = await archive(from);
  const proof = await readFile(inFolder('movie.json'), 'utf8');
  expect(await archive(from)).toEqual(first);
  expect(from.listings()).toBe(1);
  expect(from.files.requests).toHaveLength(4);
  expect(await readFile(inFolder('movie.json'), 'utf8')).toBe(proof);
});

test('several video tools: the URL that runs out first is used first', async () => {
  const from = await service();
  const expires: Record<string, number> = { asset_film: 300, asset_words: 100, asset_board: 200 };
  const listAssets = async () =>
    (await from.listAssets()).map((asset) => {
      const at = expires[asset.assetId];
      return at === undefined ? asset : { ...asset, url: `${asset.url}&expires=${at}` };
    });
  await archiveMovie({ store, listAssets, clock: () => nowMs, dispatcher }, job);
  const order = from.files.requests.map(({ url }) => /asset_\w+/.exec(url)?.[0]);
  expect(order).toEqual(['asset_words', 'asset_board', 'asset_film', 'asset_poster']);
  expect((await record()).files[0]).toMatchObject({ path: 'final.mp4' });
});

describe('on the disk for good', () => {
  /** The store, and what it was asked for in turn; names of local files without what is random in them. */
  function watched() {
    const calls: string[] = [];
    const local = (path: string) => path.replace(/.*\.unfinished-[0-9a-f]+\.([0-9a-f]{64})\.done$/, '$1');
    const watching: ArchiveStore = {
      ...store,
      openFolder: async (path) => {
        const opened = await store.openFolder(path);
        return {
          ...opened,
          async confirm(files) {
            await opened.confirm(files);
            calls.push(...files.map((file) => `confirmed ${local(file)}`));
          },
          publish(name, file, content) {
            calls.push(`published ${local(file)}`);
            return opened.publish(name, file, content);
          },
        };
      },
    };
    return { calls, watching };
  }

  test('is each file before it has its name', async () => {
    const from = await service();
    const { calls, watching } = watched();
    await archive(from, {}, watching);
    const all = ['asset_film', 'asset_poster', 'asset_board', 'asset_words'].map((id) => hash(bytesOf(from, id)));
    expect(calls).toEqual([
      ...all.map((sha256) => `confirmed ${sha256}`),
      ...all.map((sha256) => `published ${sha256}`),
    ]);
  });

  test('is what came before an attempt failed', async () => {
    const from = await service((assetId) => (assetId === 'asset_poster' ? says(503) : undefined));
    const { calls, watching } = watched();
    await failure(archive(from, {}, watching));
    const came = ['asset_film', 'asset_board', 'asset_words'];
    expect(calls).toEqual(came.map((id) => `confirmed ${hash(bytesOf(from, id))}`));
  });
});

describe('a crash', () => {
  class Crash extends Error {}

  /** The same work with a crash at one of its steps, before or after each call that leaves it; counts the steps. */
  async function crashingAt(step: number, from: MovieService): Promise<{ readonly crashed: boolean }> {
    let steps = 0;
    const next = () => {
      steps += 1;
      if (steps === step) throw new Crash();
    };
    const around = async <T>(work: () => Promise<T>): Promise<T> => {
      next();
      const result = await work();
      next();
      return result;
    };
    const crashing: ArchiveStore = {
      ...store,
      openFolder: (path) =>
        around(async () => {
          const opened = await store.openFolder(path);
          return {
            work: opened.work,
            confirm: (files) => around(() => opened.confirm(files)),
            publish: (name, file, content) => around(() => opened.publish(name, file, content)),
            writeText: (name, text) => around(() => opened.writeText(name, text)),
            sync: () => around(() => opened.sync()),
            dropWork: () => around(() => opened.dropWork()),
          };
        }),
      stat: (path) => around(() => store.stat(path)),
      open: (path) => around(() => store.open(path)),
      list: (path) => around(() => store.list(path)),
    };
    const listAssets = () => around(() => from.listAssets());
    try {
      await archiveMovie({ store: crashing, listAssets, clock: () => nowMs, dispatcher }, job, { onBytes: next });
      return { crashed: false };
    } catch (error) {
      if (error instanceof Crash) return { crashed: true };
      throw error;
    }
  }

  test(
    'at any step is made good by the next attempt, and no finished file is downloaded twice',
    { timeout: 60_000 },
    async () => {
      let step = 1;
      for (let crashed = true; crashed; step += 1) {
        const from = await service();
        ({ crashed } = await crashingAt(step, from));
        await expectArchived(from, await archive(from));
        // A crash while bytes come costs one more request for that file; every other file is asked for once.
        expect(from.files.requests.length, `step ${step}`).toBeLessThanOrEqual(5);
        await rm(join(folder, 'spring-1'), { recursive: true });
      }
      expect(step).toBeGreaterThan(20);
    },
  );

  test('after the names were given and before the proof costs no download at all', async () => {
    const from = await service();
    const writeText = () => Promise.reject(new Crash());
    const openFolder = async (path: string) => ({ ...(await store.openFolder(path)), writeText });
    await expect(archive(from, {}, { ...store, openFolder })).rejects.toThrow(Crash);
    const finished = (await store.list(job.folder)).map((path) => path.split('/').at(-1));
    expect(finished).toEqual(names.filter((name) => name !== 'movie.json'));
    await expectArchived(from, await archive(from));
    expect(from.files.requests).toHaveLength(4);
  });

  test('of an attempt that is still alive does not disturb its successor', async () => {
    const from = await service();
    const [one, other] = await Promise.allSettled([archive(from), archive(from)]);
    const done = [one, other].flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(done.length).toBeGreaterThan(0);
    await expectArchived(from, await archive(from));
  });
});

describe('a file that was there before', () => {
  test('is never overwritten: the next free name is used and recorded', async () => {
    await mkdir(join(folder, job.folder), { recursive: true });
    await writeFile(inFolder('final.mp4'), 'of another ledger');
    await writeFile(inFolder('final-2.mp4'), 'and one more');
    await writeFile(inFolder('movie.json'), '{"movie_id":"movie_0"}');
    const from = await service();
    const result = await archive(from);
    expect(result.files?.map(({ path }) => path)).toContain('spring-1/hero/final-3.mp4');
    expect(await readFile(inFolder('final.mp4'), 'utf8')).toBe('of another ledger');
    expect(await readFile(inFolder('movie.json'), 'utf8')).toBe('{"movie_id":"movie_0"}');
    expect((await record('movie-2.json')).files[0].path).toBe('final-3.mp4');
    expect(await archive(from)).toEqual(result);
    expect(from.files.requests).toHaveLength(4);
  });

  test('and was damaged is fetched again beside it; the intact ones stay', async () => {
    const from = await service();
    await archive(from);
    await writeFile(inFolder('poster.jpg'), 'a poster?');
    const result = await archive(from);
    expect(from.requestsFor('asset_poster')).toBe(2);
    expect(from.files.requests).toHaveLength(5);
    expect(result.files?.map(({ path }) => path.split('/').at(-1)).sort()).toEqual([
      'captions.vtt',
      'final.mp4',
      'poster-2.jpg',
      'storyboard.jpg',
    ]);
    expect(result.verdict).toBe('as ordered');
    expect((await record('movie-2.json')).measured).toMatchObject({ duration_seconds: 5 });
    expect(await archive(from)).toEqual(result);
  });

  test('and was deleted is fetched again under its name', async () => {
    const from = await service();
    await archive(from);
    await rm(inFolder('final.mp4'));
    const result = await archive(from);
    expect(from.requestsFor('asset_film')).toBe(2);
    expect(result.files?.map(({ path }) => path)).toContain('spring-1/hero/final.mp4');
    expect(result.verdict).toBe('as ordered');
  });

  test('stays when the service does not list it any more', async () => {
    const from = await service();
    await archive(from);
    await rm(inFolder('poster.jpg'));
    from.assets = from.assets.filter(({ type }) => type === 'poster');
    const result = await archive(from);
    expect(result.files?.map(({ assetId }) => assetId).sort()).toEqual([
      'asset_board',
      'asset_film',
      'asset_poster',
      'asset_words',
    ]);
    expect(result.verdict).toBe('as ordered');
  });
});

describe('names', () => {
  test('files that want the same name get the next one, and none is lost', async () => {
    const from = await service();
    from.files.files.set('/asset_2', { bytes: Buffer.from('another poster') });
    from.files.files.set('/asset_3', { bytes: Buffer.from('a poster') });
    from.files.files.set('/asset_4', { bytes: Buffer.from('{}') });
    from.assets.push(
      { assetId: 'asset_2', type: 'poster', mimeType: 'image/jpeg' },
      { assetId: 'asset_3', type: 'Poster', mimeType: 'image/jpeg' },
      { assetId: 'asset_4', type: 'movie', mimeType: 'application/json' },
    );
    const result = await archive(from);
    const paths = result.files?.map(({ assetId, path }) => [assetId, path.split('/').at(-1)]);
    expect(paths).toContainEqual(['asset_poster', 'poster.jpg']);
    expect(paths).toContainEqual(['asset_2', 'poster-2.jpg']);
    expect(paths).toContainEqual(['asset_3', 'Poster-3.jpg']);
    expect(paths).toContainEqual(['asset_4', 'asset-movie.json']);
    expect(await archive(from)).toEqual(result);
    expect(from.files.requests).toHaveLength(7);
  });

  test('an asset that is listed twice is saved once', async () => {
    const from = await service();
    from.assets = [...from.assets, ...from.assets];
    await expectArchived(from, await archive(from));
    expect(from.files.requests).toHaveLength(4);
  });
});

describe('URLs', () => {
  test('that ran out are renewed for all files at once', async () => {
    const from = await service((_, nth) => (nth === 0 ? says(403) : undefined));
    let fresh = false;
    const listAssets = async () => {
      const listed = await from.listAssets();
      if (fresh) return listed;
      fresh = true;
      return listed.map((asset) => ({ ...asset, url: asset.url.replace('asset_film', 'gone') }));
    };
    const result = await archiveMovie({ store, listAssets, clock: () => nowMs, dispatcher }, job);
    await expectArchived(from, result);
  });

  test('never show in what is written or thrown', async () => {
    const from = await service(() => says(500));
    expect(await failure(archive(from))).toMatchObject({ name: 'DownloadError', status: 500 });
  });
});

describe('the movie itself', () => {
  test.each([{ types: [] }, { types: ['poster', 'final_cut', 'Final_Video'] }])(
    'not listed among $types is missing',
    async ({ types }) => {
      const from = await service();
      from.assets = types.map((type, n) => ({ assetId: `asset_${n}`, type, mimeType: null }));
      expect(await archive(from)).toEqual({ missing: 'final_video' });
      expect(from.files.requests).toEqual([]);
      expect(await store.list('spring-1')).toEqual([]);
    },
  );

  test('without a byte is missing, and is saved once it has some', async () => {
    const from = await service((assetId, nth) => (assetId === 'asset_film' && nth === 0 ? says(200) : undefined));
    expect(await archive(from)).toEqual({ missing: 'final_video' });
    await expectArchived(from, await archive(from));
  });

  test('that leaves the list when its URL is renewed is missing', async () => {
    const from = await service((assetId) => {
      if (assetId !== 'asset_film') return undefined;
      from.assets = from.assets.filter(({ type }) => type !== 'final_video');
      return says(403);
    });
    expect(await archive(from)).toEqual({ missing: 'final_video' });
  });

  test('that is refused with fresh URLs is gone', async () => {
    const from = await service((assetId) => (assetId === 'asset_film' ? says(404) : undefined));
    expect(await failure(archive(from))).toMatchObject({ name: 'AssetGoneError', reason: 'refused' });
  });

  test('of another length and ratio is kept, and needs review', async () => {
    const from = await service();
    from.files.files.set('/asset_film', { bytes: await film({ durationSeconds: 6.3, width: 180, height: 320 }) });
    const result = await archive(from);
    expect(result.verdict).toBe('needs review: 6.3 s against 5 s asked; 180x320 against 16:9 asked');
    expect(result.files).toHaveLength(4);
    expect(await archive(from)).toEqual(result);
  });

  test('that cannot be read is asked for once more, and the readable one is kept', async () => {
    const from = await service((assetId, nth) =>
      assetId === 'asset_film' && nth === 0 ? says(200, { 'content-type': 'video/mp4' }, 'garbage') : undefined,
    );
    await expectArchived(from, await archive(from));
    expect(from.requestsFor('asset_film')).toBe(2);
  });

  test('that cannot be read twice is what the service has: it is kept, and needs review', async () => {
    const from = await service();
    const garbage = randomBytes(10_000);
    from.files.files.set('/asset_film', { bytes: garbage, mimeType: 'video/mp4' });
    const result = await archive(from);
    expect(result.verdict).toBe('needs review: the file cannot be read as a movie, asked 5 s in 16:9');
    expect((await readFile(inFolder('final.mp4'))).equals(garbage)).toBe(true);
    expect((await record()).measured).toBeNull();
    expect(from.requestsFor('asset_film')).toBe(2);
    expect(await archive(from)).toEqual(result);
    expect(from.requestsFor('asset_film')).toBe(2);
  });

  test('that cannot be read and is then refused is kept as it came', async () => {
    const from = await service((assetId, nth) => (assetId === 'asset_film' && nth > 0 ? says(404) : undefined));
    from.files.files.set('/asset_film', { bytes: Buffer.from('garbage') });
    const result = await archive(from);
    expect(result.verdict).toMatch(/^needs review: the file cannot be read as a movie/);
    expect(await readFile(inFolder('final.mp4'), 'utf8')).toBe('garbage');
  });
});

describe('files beside the movie', () => {
  test('that are gone do not hold it up: the verdict names them', async () => {
    const from = await service((assetId) => (assetId === 'asset_poster' ? says(404) : undefined));
    const result = await archive(from);
    expect(result.verdict).toBe('needs review: poster was listed and not given');
    expect(result.files?.map(({ type }) => type)).toEqual(['final_video', 'storyboard', 'captions']);
    expect((await record()).not_given).toEqual(['poster']);
  });

  test('that fail for now fail the attempt, once the movie is safe', async () => {
    let working = false;
    const from = await service((assetId) => (assetId === 'asset_poster' && !working ? says(503) : undefined));
    expect(await failure(archive(from))).toMatchObject({ name: 'DownloadError', status: 503 });
    expect(from.requestsFor('asset_film')).toBe(1);
    working = true;
    await expectArchived(from, await archive(from));
    expect(from.requestsFor('asset_film')).toBe(1);
  });

  test('that fail for now can be done without', async () => {
    const from = await service((assetId) => (assetId === 'asset_poster' ? says(503) : undefined));
    const result = await archive(from, { sideFiles: 'if possible' });
    expect(result.verdict).toBe('needs review: poster was listed and not given');
  });

  test('do not stand in for the movie', async () => {
    const from = await service((assetId) => (assetId === 'asset_film' ? says(503) : undefined));
    expect(await failure(archive(from, { sideFiles: 'if possible' }))).toMatchObject({ name: 'DownloadError' });
    expect(await store.list('spring-1')).toEqual([]);
  });
});

test('a signal ends it with its reason, and the next attempt goes on', async () => {
  const from = await service();
  const called = new AbortController();
  const onBytes = () => called.abort(new Error('the worker stops'));
  expect(await failure(archive(from, { signal: called.signal, onBytes }))).toEqual(new Error('the worker stops'));
  await expectArchived(from, await archive(from));
});

test('a transfer that broke off in an earlier attempt is gone on with', async () => {
  const bytes = await film({ pictureBytes: 4_000 });
  const big = { bytes, mimeType: 'video/mp4' };
  const from = await service((assetId, nth) =>
    assetId === 'asset_film' && nth < 6 ? cutAfter(big, 10_000) : undefined,
  );
  from.files.files.set('/asset_film', big);
  const onBytes = (count: number) => from.files.received(count);
  expect(await failure(archive(from, { onBytes }))).toMatchObject({ name: 'DownloadError' });
  await expectArchived(from, await archive(from, { onBytes }));
  const last = from.files.requests.findLast(({ url }) => url.includes('asset_film'));
  expect(last?.headers.range).toBe('bytes=60000-');
});

test('a full disk is our own fault, and with room again the work goes on', async ({ skip }) => {
  const disk = await smallDisk(join(folder, 'disk'), 256 * 1024);
  if (!disk) return skip('a small disk can be mounted by root only');
  releases.push(disk.unmount);
  const small = await createFileStore(join(folder, 'disk', 'archive'));
  const ballast = join(folder, 'disk', 'ballast');
  await writeFile(ballast, Buffer.alloc(220 * 1024));
  const from = await service();
  from.files.files.set('/asset_film', { bytes: await film({ pictureBytes: 2_000 }), mimeType: 'video/mp4' });
  expect(await failure(archive(from, {}, small))).toMatchObject({ name: 'StorageError', code: 'ENOSPC' });
  await rm(ballast);
  expect(await archive(from, {}, small)).toMatchObject({ verdict: 'as ordered' });
});
