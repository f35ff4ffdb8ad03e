import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Agent } from 'undici';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ArchiveJob, archiveMovie } from '../../archive/archive-movie.js';
import { createFileStore } from '../../archive/folder/file-store.js';
import type { ChildOrder } from './archive-child.js';
import { film } from './film.js';
import { type MovieService, movieService } from './movie-service.js';
import { someOrder } from './ordered-content.js';

const job: ArchiveJob = {
  folder: 'spring-1/hero',
  movieId: 'movie_1',
  asked: { durationSeconds: 5, aspectRatio: '16:9' },
  order: someOrder,
  brief: {},
  times: {},
};
const mebibyte = 1024 * 1024;

let folder: string;
let service: MovieService;
let dispatcher: Agent;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-kill-'));
  service = await movieService();
  dispatcher = new Agent();
});
afterEach(async () => {
  await dispatcher.destroy();
  await service.files.close();
  await rm(folder, { recursive: true, force: true });
});

async function killed(die: ChildOrder['die'], count: number): Promise<void> {
  const order: ChildOrder = { folder, assets: await service.listAssets(), job, die, count };
  const script = fileURLToPath(new URL('./archive-child.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, JSON.stringify(order)], { stdio: 'inherit' });
  const [, signal] = await once(child, 'exit');
  expect(signal).toBe('SIGKILL');
}

async function goOn() {
  const store = await createFileStore(folder);
  const listAssets = () => service.listAssets();
  const result = await archiveMovie({ store, listAssets, clock: Date.now, dispatcher }, job);
  expect(result.verdict).toBe('as ordered');
  const bytes = service.files.files.get('/asset_film')?.bytes ?? Buffer.alloc(0);
  expect((await readFile(join(folder, job.folder, 'final.mp4'))).equals(bytes)).toBe(true);
  expect((await store.list(job.folder)).map((path) => path.split('/').at(-1))).toEqual([
    'captions.vtt',
    'final.mp4',
    'movie.json',
    'poster.jpg',
    'storyboard.jpg',
  ]);
}

test.each<{ die: ChildOrder['die']; count: number }>([
  { die: 'after publish', count: 1 },
  { die: 'after publish', count: 4 },
  { die: 'after writeText', count: 1 },
  { die: 'after sync', count: 1 },
  { die: 'after dropWork', count: 1 },
])(
  'killed $die ($count), the next process ends the work without a download',
  { timeout: 30_000 },
  async ({ die, count }) => {
    await killed(die, count);
    await goOn();
    expect(service.files.requests).toHaveLength(4);
  },
);

test(
  'killed while bytes come, the next process goes on from the last confirmed ones',
  { timeout: 30_000 },
  async () => {
    const bytes = await film({ pictureBytes: 400_000 });
    service.files.files.set('/asset_film', { bytes, mimeType: 'video/mp4' });
    await killed('after bytes', 18 * mebibyte);
    await goOn();
    const [first, second] = service.files.requests.filter(({ url }) => url.includes('asset_film'));
    expect(first?.headers.range).toBeUndefined();
    expect(Number(/^bytes=(\d+)-$/.exec(second?.headers.range ?? '')?.[1])).toBeGreaterThanOrEqual(8 * mebibyte);
  },
);
