import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { noProxies } from '../../../api/proxies.js';
import type { ArchiveJob } from '../../../archive/archive-movie.js';
import { AssetGoneError, DownloadError, StorageError } from '../../../archive/errors.js';
import type { ArchiverOptions } from '../../../archive/movie-archiver.js';
import { type ArchiveThread, createArchiveThread } from '../../../archive/thread/archive-thread.js';
import { type Deed, says } from '../file-server.js';
import { type MovieService, movieService } from '../movie-service.js';
import { someOrder } from '../ordered-content.js';

const jobOf = (row: string): ArchiveJob => ({
  ...{ folder: `spring-1/${row}`, movieId: `movie_${row}`, asked: { durationSeconds: 5, aspectRatio: '16:9' } },
  ...{ order: someOrder, brief: { id: row }, times: {} },
});

let folder: string;
let thread: ArchiveThread;
/** What the service does when it is asked for a file; undefined serves it. */
let deed: Deed | undefined;
let service: MovieService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-thread-'));
  thread = createArchiveThread({ archiveUrl: `file:${folder}`, stagingFolder: 'unused', proxies: noProxies });
});
afterAll(async () => {
  await thread.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  deed = undefined;
  service = await movieService(() => deed);
});
afterEach(() => service.files.close());

function save(row: string, options: Partial<ArchiverOptions> = {}) {
  return thread.archive(jobOf(row), { listAssets: () => service.listAssets(), ...options });
}

describe('files that are saved in a thread of their own', () => {
  test('are there when the call ends, as the service has them', async () => {
    const saved = await Promise.all(['one', 'two'].map((row) => save(row)));
    for (const [index, row] of ['one', 'two'].entries()) {
      expect(saved[index]?.verdict).toBe('as ordered');
      expect(saved[index]?.files?.map(({ path }) => path).toSorted()).toEqual(
        ['captions.vtt', 'final.mp4', 'poster.jpg', 'storyboard.jpg'].map((name) => `spring-1/${row}/${name}`),
      );
      const film = await readFile(join(folder, 'spring-1', row, 'final.mp4'));
      expect(film.equals(service.files.files.get('/asset_film')?.bytes ?? Buffer.alloc(0))).toBe(true);
    }
  });

  test('say so when the service lists no movie', async () => {
    service.assets = service.assets.filter(({ type }) => type !== 'final_video');
    expect(await save('unlisted')).toEqual({ missing: 'final_video' });
  });

  test('are listed by the caller, whose own error comes back to it', async () => {
    const error = new Error('the key was refused');
    await expect(save('not-listed', { listAssets: () => Promise.reject(error) })).rejects.toBe(error);
  });

  test('fail for now with what the server said', async () => {
    deed = says(503, { 'retry-after': '7' });
    const error = await save('busy').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DownloadError);
    expect(error).toMatchObject({ status: 503, retryAfterMs: 7_000, message: expect.stringContaining('503') });
  });

  test('that the service refuses for good are told apart', async () => {
    deed = says(403);
    const error = await save('gone').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AssetGoneError);
    expect(error).toMatchObject({ reason: 'refused' });
  });

  test('that the disk refuses are told apart', async () => {
    await writeFile(join(folder, 'taken'), 'a file where a folder should be');
    const job = { ...jobOf('disk'), folder: 'taken/disk' };
    const error = await thread.archive(job, { listAssets: () => service.listAssets() }).catch((reason) => reason);
    expect(error).toBeInstanceOf(StorageError);
    expect(error).toMatchObject({ code: 'ENOTDIR' });
  });

  test('wait for an archive that cannot be opened, and for no restart', async () => {
    const blocked = join(folder, 'blocked');
    await writeFile(blocked, 'a file where the archive should be');
    const waiting = createArchiveThread({ archiveUrl: `file:${blocked}`, stagingFolder: 'unused', proxies: noProxies });
    try {
      const saving = () => waiting.archive(jobOf('one'), { listAssets: () => service.listAssets() });
      await expect(saving()).rejects.toBeInstanceOf(StorageError);
      await rm(blocked);
      expect((await saving()).verdict).toBe('as ordered');
    } finally {
      await waiting.close();
    }
  });

  test('fail in words where the fault is none of these', async () => {
    const job = { ...jobOf('outside'), folder: '../outside' };
    await expect(thread.archive(job, { listAssets: () => service.listAssets() })).rejects.toThrow(
      'Cannot use archive path "../outside"',
    );
  });

  test('are given up when the caller says so, and no others', async () => {
    const controller = new AbortController();
    const given = { signal: controller.signal };
    deed = () => undefined; // never answers
    const cut = save('cut', given);
    await vi.waitFor(() => expect(service.requestsFor('asset_film')).toBe(1));
    deed = undefined;
    const other = save('other');
    controller.abort(new Error('the worker stops'));
    await expect(cut).rejects.toThrow('the worker stops');
    await expect(save('late', given)).rejects.toThrow('the worker stops');
    expect((await other).verdict).toBe('as ordered');
  });

  test('may have one signal, however many they are, without a warning of a leak', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on('warning', onWarning);
    const { signal } = new AbortController();
    const rows = Array.from({ length: 30 }, (_, number) => `together-${number}`);
    await Promise.all(rows.map((row) => save(row, { signal })));
    await new Promise((resolve) => setImmediate(resolve)); // warnings are told in the next turn
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });

  test('fail with their thread, and the next movie starts another', async () => {
    deed = () => undefined;
    const lost = save('again');
    await vi.waitFor(() => expect(service.files.requests.length).toBeGreaterThan(0));
    await Promise.all([thread.close(), expect(lost).rejects.toThrow('Cannot save files: their thread ended')]);
    deed = undefined;
    expect((await save('again')).verdict).toBe('as ordered');
  });
});
