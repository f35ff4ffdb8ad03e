import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { Agent } from 'undici';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ArchiveJob, archiveMovie } from '../../archive/archive-movie.js';
import type { ArchiveStore } from '../../archive/archive-store.js';
import { createFileStore } from '../../archive/folder/file-store.js';
import { verifyFolder } from '../../archive/verify.js';
import { thumbnailPath } from '../../domain/files/thumbnail-path.js';
import { type MovieService, movieService } from './movie-service.js';
import { someOrder } from './ordered-content.js';

const job: ArchiveJob = {
  ...{ folder: 'spring-1/hero', movieId: 'movie_1', order: someOrder, brief: {}, times: {} },
  asked: { durationSeconds: 5, aspectRatio: '16:9' },
};
const delivered = ['captions.vtt', 'final.mp4', 'movie.json', 'poster.jpg', 'storyboard.jpg'];

let folder: string;
let store: ArchiveStore;
let dispatcher: Agent;
let service: MovieService;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-archive-'));
  [store, service, dispatcher] = [await createFileStore(folder), await movieService(), new Agent()];
});
afterEach(async () => {
  await service.files.close();
  await dispatcher.destroy();
  await rm(folder, { recursive: true, force: true });
});

/** Nothing in it repeats: the worst that a poster can be. */
function noise(width: number, height: number): Promise<Buffer> {
  const raw = { width, height, channels: 3 } as const;
  return sharp(randomBytes(width * height * 3), { raw })
    .jpeg()
    .toBuffer();
}

function archive(poster: Buffer, into = store) {
  service.files.files.set('/asset_poster', { bytes: poster, mimeType: 'image/jpeg' });
  return archiveMovie({ store: into, listAssets: () => service.listAssets(), clock: Date.now, dispatcher }, job);
}

const names = async () => (await readdir(join(folder, job.folder))).sort();

async function verified(): Promise<readonly string[]> {
  const seen: string[] = [];
  for await (const { path, expected, actual } of verifyFolder(folder)) {
    expect([path, actual]).toEqual([path, expected]);
    seen.push(path.slice(job.folder.length + 1));
  }
  return seen.sort();
}

test('a poster has a small picture beside it, of which no record says anything', async () => {
  const { files = [] } = await archive(await noise(1280, 720));
  const poster = files.find(({ type }) => type === 'poster');
  const thumbnail = thumbnailPath(poster ?? { path: '', sha256: '' });
  expect(await names()).toEqual([...delivered, thumbnail.slice(job.folder.length + 1)]);
  const bytes = await readFile(join(folder, thumbnail));
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 480, height: 270 });
  expect(bytes.length * 60).toBeLessThanOrEqual(1_500_000);
  expect(files.map(({ type }) => type)).toEqual(['final_video', 'poster', 'storyboard', 'captions']);
  expect(await readFile(join(folder, job.folder, 'movie.json'), 'utf8')).not.toContain('thumbnail');

  const intact = delivered.filter((name) => name !== 'movie.json');
  expect(await verified()).toEqual(intact);
  await writeFile(join(folder, thumbnail), 'damaged');
  expect(await verified()).toEqual(intact);
});

test.each([
  [720, 1280, 270, 480],
  [400, 225, 400, 225],
])('%s x %s becomes %s x %s', async (width, height, ...to) => {
  await archive(await noise(width, height));
  const name = (await names()).find((one) => one.startsWith('thumbnail-')) ?? '';
  const small = await sharp(await readFile(join(folder, job.folder, name))).metadata();
  expect([small.width, small.height]).toEqual(to);
});

test('a poster that is small enough itself has none', async () => {
  const raw = { width: 1280, height: 720, channels: 3, background: 'teal' } as const;
  const poster = await sharp({ create: raw }).jpeg().toBuffer();
  expect(poster.length).toBeLessThan(20_000);
  expect(await archive(poster)).toMatchObject({ verdict: 'as ordered' });
  expect(await names()).toEqual(delivered);
});

/** All of it a color, but for a corner that makes it a large file. */
async function mostly(color: string, profile: 'srgb' | 'p3'): Promise<Buffer> {
  const raw = { width: 1280, height: 720, channels: 3, background: color } as const;
  return sharp({ create: raw })
    .composite([{ input: await noise(160, 160), left: 1120, top: 0 }])
    .withIccProfile(profile)
    .jpeg({ quality: 100 })
    .toBuffer();
}

test.each(['srgb', 'p3'] as const)('colors of a poster with the profile %s stay what they are', async (profile) => {
  await archive(await mostly('rgb(40, 200, 90)', profile));
  const name = (await names()).find((one) => one.startsWith('thumbnail-')) ?? '';
  const middle = { left: 60, top: 100, width: 40, height: 40 };
  const seen = await sharp(await readFile(join(folder, job.folder, name)))
    .extract(middle)
    .stats();
  const means = seen.channels.map(({ mean }) => mean);
  // Taken for sRGB, the numbers of P3 would be 93, 196, 105.
  const apart = [40, 200, 90].map((was, channel) => Math.abs((means[channel] ?? 0) - was));
  expect(Math.max(...apart)).toBeLessThan(5);
});

test('what is no picture has none, and the movie is whole', async () => {
  expect(await archive(Buffer.from('a poster'))).toMatchObject({ verdict: 'as ordered' });
  expect(await names()).toEqual(delivered);
});

test('an attempt that dies between any two names leaves no poster without its small picture', async () => {
  const poster = await noise(320, 180);
  for (let dies = 0; ; dies += 1) {
    let published = 0;
    const dying: ArchiveStore = {
      ...store,
      openFolder: async (path) => {
        const opened = await store.openFolder(path);
        return {
          ...opened,
          async publish(...file) {
            if (published === dies) throw new Error('the power went');
            published += 1;
            return opened.publish(...file);
          },
        };
      },
    };
    const outcome = await archive(poster, dying).then(
      () => 'whole',
      () => 'died',
    );
    const there = await names();
    if (there.includes('poster.jpg')) expect(there).toContainEqual(expect.stringMatching(/^thumbnail-/));
    await archive(poster);
    expect(await names()).toEqual([...delivered, expect.stringMatching(/^thumbnail-[0-9a-f]{16}\.webp$/)]);
    await rm(join(folder, job.folder), { recursive: true });
    if (outcome === 'whole') break;
    expect(dies).toBeLessThan(10);
  }
});
