import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { Agent } from 'undici';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type DownloadOptions, downloadAsset } from '../../../archive/download/download.js';
import { cutAfter, type Deed, type FileServer, fileServer, type ServedFile, says, stallAfter } from '../file-server.js';
import { smallDisk } from '../small-disk.js';

const secret = 'signature=do-not-show';
const bytes = randomBytes(300_000);
const film: ServedFile = { bytes, mimeType: 'video/mp4' };

let folder: string;
let partFile: string;
let dispatcher: Agent;
const releases: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-download-'));
  partFile = join(folder, 'film.part');
  dispatcher = new Agent();
  releases.push(
    () => rm(folder, { recursive: true, force: true }),
    () => dispatcher.destroy(),
  );
});

afterEach(async () => {
  for (const release of releases.splice(0).reverse()) await release();
});

async function serving(file: ServedFile, deeds: Record<number, Deed> | ((index: number) => Deed | undefined) = {}) {
  const server = await fileServer((index) => (typeof deeds === 'function' ? deeds(index) : deeds[index]));
  releases.push(() => server.close());
  server.files.set('/film', file);
  return server;
}

function download(server: FileServer, { onBytes, ...options }: Partial<DownloadOptions> = {}) {
  return downloadAsset({
    onBytes: (count) => {
      server.received(count);
      onBytes?.(count);
    },
    url: `${server.origin}/film?${secret}`,
    refreshUrl: () => expect.unreachable('no fresh URL should be needed'),
    partFile,
    dispatcher,
    ...options,
  });
}

async function failure(download: Promise<unknown>): Promise<Error> {
  const error = await download.then(
    () => expect.unreachable('the download should have failed'),
    (reason: unknown) => reason,
  );
  expect(inspect(error, { depth: null, showHidden: true })).not.toContain(secret);
  return error as Error; // whatever is thrown here is one
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

async function expectFilm(
  done: { readonly sha256: string; readonly sizeBytes: number },
  content = bytes,
): Promise<void> {
  expect(done).toEqual({ sha256: sha256(content), sizeBytes: content.length });
  expect((await readFile(partFile)).equals(content)).toBe(true);
  expect(await readdir(folder)).toEqual(['film.part']);
}

function ranges(server: FileServer) {
  return server.requests.map(({ headers }) => headers.range);
}

test('a file arrives with its size and hash; no key goes with the request and nothing is packed', async () => {
  const server = await serving(film);
  let told = 0;
  await expectFilm(await download(server, { onBytes: (count) => (told += count) }));
  expect(told).toBe(bytes.length);
  expect(server.requests).toHaveLength(1);
  expect(server.requests[0]?.headers).toMatchObject({ 'accept-encoding': 'identity' });
  expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  expect(server.requests[0]?.headers).not.toHaveProperty('range');
});

test('a file without a said length is taken to its end', async () => {
  const server = await serving(film, { 0: (_, response) => void response.writeHead(200).end(bytes) });
  await expectFilm(await download(server));
});

test('redirects are followed', async () => {
  const server = await serving(film, { 0: says(307, { location: '/film' }), 1: says(302, { location: '/film?x=1' }) });
  await expectFilm(await download(server, { url: `${server.origin}/start?${secret}` }));
});

describe('a transfer that breaks off', () => {
  test('goes on where it stopped, on condition that the file is the same', async () => {
    const server = await serving(film, { 0: cutAfter(film, 100_000), 1: cutAfter(film, 50_000) });
    await expectFilm(await download(server));
    expect(ranges(server)).toEqual([undefined, 'bytes=100000-', 'bytes=150000-']);
    expect(server.requests[1]?.headers['if-range']).toMatch(/^"[0-9a-f]+"$/);
    expect(server.servedBytes()).toBe(150_000);
  });

  test('goes on after a silence', async () => {
    const server = await serving(film, { 0: stallAfter(film, 100_000) });
    await expectFilm(await download(server, { silenceMs: 100 }));
    expect(ranges(server)).toEqual([undefined, 'bytes=100000-']);
  });

  test('begins anew when the file has changed meanwhile', async () => {
    const other = randomBytes(200_000);
    const server = await serving({ bytes: other }, { 0: cutAfter(film, 100_000) });
    await expectFilm(await download(server), other);
    expect(ranges(server)).toEqual([undefined, 'bytes=100000-']);
  });

  test.each([{ etag: null }, { etag: 'W/"1"' }])('begins anew when the file has tag $etag', async ({ etag }) => {
    const untagged = { ...film, etag };
    const server = await serving(untagged, { 0: cutAfter(untagged, 100_000) });
    await expectFilm(await download(server));
    expect(ranges(server)).toEqual([undefined, undefined]);
  });

  test.each<{ name: string; deed: Deed }>([
    { name: 'another start', deed: says(206, { 'content-range': 'bytes 5-299999/300000' }, 'x') },
    { name: 'another total', deed: says(206, { 'content-range': 'bytes 100000-199999/200000' }, 'x') },
    { name: 'another tag', deed: says(206, { 'content-range': 'bytes 100000-299999/300000', etag: '"x"' }, 'x') },
    { name: 'no range at all', deed: says(206, {}, 'x') },
    { name: 'several ranges', deed: says(206, { 'content-type': 'multipart/byteranges; boundary=x' }, '--x') },
    { name: 'no such range', deed: says(416, { 'content-range': 'bytes */10' }) },
  ])('begins anew when the answer has $name', async ({ deed }) => {
    const server = await serving(film, { 0: cutAfter(film, 100_000), 1: deed });
    await expectFilm(await download(server));
    expect(ranges(server)).toEqual([undefined, 'bytes=100000-', undefined]);
  });

  test('is given up after some times, and what came is kept', async () => {
    const server = await serving(film, () => cutAfter(film, 10_000));
    const error = await failure(download(server));
    expect(error).toMatchObject({ name: 'DownloadError', status: null });
    expect(error.message).toBe('Cannot download the file: it broke off 6 times, at 60000 bytes');
    expect((await readFile(partFile)).equals(bytes.subarray(0, 60_000))).toBe(true);

    const recovered = await serving(film);
    await expectFilm(await download(recovered));
    expect(ranges(recovered)).toEqual(['bytes=60000-']);
  });

  test('ends with the signal, and what came is kept', async () => {
    const server = await serving(film, { 0: stallAfter(film, 100_000) });
    const called = new AbortController();
    let came = 0;
    const onBytes = (count: number) => {
      came += count;
      if (came === 100_000) called.abort(new Error('the worker stops'));
    };
    expect(await failure(download(server, { signal: called.signal, onBytes }))).toEqual(new Error('the worker stops'));
    await expectFilm(await download(server));
    expect(ranges(server)).toEqual([undefined, 'bytes=100000-']);
  });
});

describe('what an earlier process left', () => {
  async function leftBehind(): Promise<void> {
    const server = await serving(film, () => cutAfter(film, 20_000));
    await failure(download(server));
  }

  test('bytes beyond those that the disk confirmed are not trusted', async () => {
    await leftBehind();
    await writeFile(partFile, Buffer.alloc(5_000), { flag: 'a' });
    await expectFilm(await download(await serving(film)));
  });

  test('a part shorter than its state says is begun anew', async () => {
    await leftBehind();
    await truncate(partFile, 1_000);
    const server = await serving(film);
    await expectFilm(await download(server));
    expect(ranges(server)).toEqual([undefined]);
  });

  test.each(['', '{"etag":"\\"x', '{}', '[]', '{"etag":"\\"x\\"","totalBytes":-1,"safeBytes":10}'])(
    'a torn state (%j) is begun anew',
    async (state) => {
      await leftBehind();
      await writeFile(`${partFile}.state`, state);
      const server = await serving(film);
      await expectFilm(await download(server));
      expect(ranges(server)).toEqual([undefined]);
    },
  );

  test('a part that was complete is not asked for again', async () => {
    await leftBehind();
    const state = JSON.parse(await readFile(`${partFile}.state`, 'utf8'));
    await writeFile(partFile, bytes);
    await writeFile(`${partFile}.state`, JSON.stringify({ ...state, safeBytes: bytes.length }));
    const server = await serving(film);
    await expectFilm(await download(server));
    expect(server.requests).toEqual([]);
  });
});

describe('a URL that ran out', () => {
  test.each([400, 401, 403, 404, 410])('is renewed once the server answers %i', async (status) => {
    const server = await serving(film, { 0: says(status) });
    const refreshUrl = async () => `${server.origin}/film?fresh=1`;
    await expectFilm(await download(server, { refreshUrl }));
    expect(server.requests.map(({ url }) => url)).toEqual([`/film?${secret}`, '/film?fresh=1']);
  });

  test('several video tools: halfway is renewed, and the transfer goes on', async () => {
    const server = await serving(film, { 0: cutAfter(film, 100_000), 1: says(403) });
    const refreshUrl = async () => `${server.origin}/film?fresh=1`;
    await expectFilm(await download(server, { refreshUrl }));
    expect(ranges(server)).toEqual([undefined, 'bytes=100000-', 'bytes=100000-']);
    expect(server.servedBytes()).toBe(200_000);
  });

  test('is gone when fresh ones are refused as well', async () => {
    const server = await serving(film, () => says(404));
    let renewed = 0;
    const refreshUrl = async () => `${server.origin}/film?${secret}&n=${++renewed}`;
    const error = await failure(download(server, { refreshUrl }));
    expect(error).toMatchObject({
      name: 'AssetGoneError',
      reason: 'refused',
      message: 'Cannot download the file: a fresh URL was answered 404',
    });
    expect(renewed).toBe(2);
  });

  test('does not hide the error of the listing', async () => {
    const server = await serving(film, () => says(403));
    const refreshUrl = () => Promise.reject(new Error('the service is away'));
    expect(await failure(download(server, { refreshUrl }))).toEqual(new Error('the service is away'));
  });
});

describe('answers that are not the file', () => {
  test('no byte at all', async () => {
    const server = await serving({ bytes: Buffer.alloc(0) });
    expect(await failure(download(server))).toMatchObject({ name: 'AssetGoneError', reason: 'empty' });
  });

  test('no byte at all, of a length that was not said', async () => {
    const server = await serving(film, { 0: (_, response) => void response.writeHead(200).end() });
    expect(await failure(download(server))).toMatchObject({ name: 'AssetGoneError', reason: 'empty' });
  });

  test.each(['text/html', 'text/html; charset=utf-8', 'application/json'])('a page of type %s', async (mimeType) => {
    const server = await serving({ bytes: Buffer.from('<h1>Log in</h1>'), mimeType });
    const error = await failure(download(server, { expected: { mimeType: 'video/mp4' } }));
    expect(error).toMatchObject({ name: 'DownloadError', status: 200 });
    expect(error.message).toMatch(/^Cannot download the file: the server answered with \S+, expected video\/mp4$/);
  });

  test('a page is a file like any other where nothing else is expected', async () => {
    const page = Buffer.from('<h1>Notes</h1>');
    const server = await serving({ bytes: page, mimeType: 'text/html' });
    await expectFilm(await download(server, { expected: { mimeType: 'text/html' } }), page);
  });

  test('a packed file', async () => {
    const server = await serving(film, { 0: says(200, { 'content-encoding': 'gzip' }, 'x') });
    expect(await failure(download(server))).toMatchObject({ name: 'DownloadError', status: 200 });
  });

  test.each([
    { status: 500, headers: {}, retryAfterMs: null },
    { status: 503, headers: { 'retry-after': '7' }, retryAfterMs: 7_000 },
    { status: 429, headers: { 'retry-after': '1' }, retryAfterMs: 1_000 },
    { status: 304, headers: {}, retryAfterMs: null },
  ])('$status is for a later attempt', async ({ status, headers, retryAfterMs }) => {
    const server = await serving(film, () => says(status, headers));
    const error = await failure(download(server));
    expect(error).toMatchObject({ name: 'DownloadError', status, retryAfterMs });
    expect(server.requests).toHaveLength(1);
  });

  test('redirects without end', async () => {
    const server = await serving(film, (index) => says(302, { location: `/film?n=${index}` }));
    expect(await failure(download(server))).toMatchObject({ name: 'DownloadError' });
    expect(server.requests.length).toBeLessThan(10);
  });

  test.each(['http://nowhere.invalid/film', 'ftp://host/film', 'not a url'])('a URL as %s', async (start) => {
    const server = await serving(film);
    const error = await failure(download(server, { url: `${start}?${secret}` }));
    expect(error).toMatchObject({ name: 'DownloadError', status: null });
  });
});

describe('a disk that refuses', () => {
  test('a folder that is gone', async () => {
    const server = await serving(film);
    const error = await failure(download(server, { partFile: join(folder, 'gone', 'film.part') }));
    expect(error).toMatchObject({
      name: 'StorageError',
      code: 'ENOENT',
      message: 'Cannot open the download: the file or folder is gone (ENOENT)',
    });
  });

  test('a full one, and once there is room again the download goes on', async ({ skip }) => {
    const disk = await smallDisk(join(folder, 'disk'), 256 * 1024);
    if (!disk) return skip('a small disk can be mounted by root only');
    releases.push(disk.unmount);
    const ballast = join(folder, 'disk', 'ballast');
    await writeFile(ballast, Buffer.alloc(128 * 1024));
    const small = { bytes: randomBytes(200_000) };
    const server = await serving(small);
    const onDisk = join(folder, 'disk', 'film.part');
    expect(await failure(download(server, { partFile: onDisk }))).toMatchObject({
      name: 'StorageError',
      code: 'ENOSPC',
      message: 'Cannot write the download: the disk is full (ENOSPC)',
    });
    await rm(ballast);
    const done = await download(server, { partFile: onDisk });
    expect(done.sha256).toBe(sha256(small.bytes));
  });
});
