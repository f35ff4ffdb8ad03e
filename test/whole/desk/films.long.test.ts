import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { archiveMovie } from '../../../archive/archive-movie.js';
import type { ArchiveStore } from '../../../archive/archive-store.js';
import { openStore } from '../../../archive/open-store.js';
import { createS3Store } from '../../../archive/s3/s3-store.js';
import { recordDelivered } from '../../../ledger/progress/deliveries.js';
import { film as shortFilm } from '../../archive/film.js';
import { movieService } from '../../archive/movie-service.js';
import { someOrder } from '../../archive/ordered-content.js';
import { type S3Server, startS3Server, useServer, whyNoServer } from '../../archive/s3/s3-server.js';
import { type Shown, showDesk } from './chromium.js';

const run = promisify(execFile);
let folder: string;
let film: Buffer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-films-'));
  const path = join(folder, 'film.mp4');
  // Thirty seconds of noise: so long that a browser does not fetch all of it to show its beginning.
  const source = ['-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=25:d=30,noise=alls=80:allf=t'];
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-b:v', '4M', '-g', '25', '-pix_fmt', 'yuv420p'];
  await run('ffmpeg', ['-v', 'error', ...source, ...coding, '-movflags', '+faststart', path]);
  film = await readFile(path);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A poster of a photograph's size: 200 kB. */
async function poster(): Promise<Buffer> {
  const grain = { width: 160, height: 90, channels: 3 } as const;
  return sharp(randomBytes(grain.width * grain.height * 3), { raw: grain })
    .resize(1280, 720)
    .jpeg({ quality: 85 })
    .toBuffer();
}

/** A batch of so many movies in the archive and in the ledger. */
async function deliver({ scene, deps }: Shown, store: ArchiveStore, count: number): Promise<string> {
  await scene.fund('acme', 1_000_000);
  const keys = Array.from({ length: count }, (_, index) => `hero-${index + 1}`);
  const batchId = await scene.make(keys, { campaign: 'films' });
  const service = await movieService();
  const [dispatcher, short] = [new Agent(), await shortFilm()];
  service.files.files.set('/asset_poster', { bytes: await poster(), mimeType: 'image/jpeg' });
  service.files.files.set('/asset_film', { bytes: film, mimeType: 'video/mp4' });
  for (const rowKey of keys) {
    const movieId = await scene.order(batchId, rowKey);
    await scene.look(batchId, rowKey, 'completed');
    const job = { folder: `${batchId}/${rowKey}`, movieId, order: someOrder, brief: {}, times: {} };
    const { files = [], verdict = 'as ordered' } = await archiveMovie(
      { store, listAssets: () => service.listAssets(), clock: Date.now, dispatcher },
      { ...job, asked: { durationSeconds: 30, aspectRatio: '16:9' } },
    );
    service.files.files.set('/asset_film', { bytes: short, mimeType: 'video/mp4' }); // only the first one is played
    await recordDelivered(deps.ledger, { batchId, rowKey, files, verdict, nowMs: scene.nowMs });
  }
  await service.files.close();
  await dispatcher.destroy();
  return batchId;
}

/** Everything that a page is answered with, as its browser sees it. */
function watch(page: Page) {
  const answers: { readonly path: string; readonly type: string; readonly status: number; bytes: number }[] = [];
  page.on('requestfinished', async (request) => {
    const response = await request.response();
    const { responseBodySize: bytes } = await request.sizes();
    answers.push({
      ...{
        path: new URL(request.url()).pathname,
        type: request.resourceType(),
        status: response?.status() ?? 0,
        bytes,
      },
    });
  });
  return answers;
}

/** What a page says of itself; its policy lets no text become a script, so that it is asked from outside. */
function ask<T>(page: Page, script: string): Promise<T> {
  return page.evaluate(script) as Promise<T>; // as the script says
}

async function seeAllPosters(page: Page, count: number): Promise<void> {
  const figures = page.locator('.wall figure');
  for (let index = 0; index < count; index += 6) await figures.nth(index).scrollIntoViewIfNeeded();
  await figures.last().scrollIntoViewIfNeeded();
  const shown = `[...document.querySelectorAll('.wall img')].filter((one) => one.naturalWidth > 0).length`;
  await expect.poll(() => ask<number>(page, shown), { timeout: 30_000 }).toBe(count);
}

const ofFilm = 'document.querySelector("details[open] video")';

/** Plays the first film, and seeks far beyond what was fetched so far. */
async function playAndSeek(page: Page): Promise<void> {
  const ranges: string[] = [];
  page.on('request', (request) => ranges.push(request.headers().range ?? ''));
  await page.locator('details.stage summary').first().click();
  const at = () => ask<number>(page, `${ofFilm}?.currentTime ?? 0`);
  await expect.poll(at, { timeout: 30_000 }).toBeGreaterThan(0.2);
  await ask(page, `void (${ofFilm}.currentTime = 25)`);
  await expect.poll(at, { timeout: 30_000 }).toBeGreaterThan(25.2);
  expect(await ask(page, `${ofFilm}.error`)).toBe(null);
  const starts = ranges.map((range) => Number(/^bytes=(\d+)-/.exec(range)?.[1] ?? 0));
  expect(Math.max(...starts)).toBeGreaterThan(film.length / 2);
}

/** The page of a row has its film, of which nothing is fetched before play. */
async function playOfRow(page: Page, url: string): Promise<void> {
  const films: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'media') films.push(request.url());
  });
  await page.goto(url);
  await expect.poll(() => ask<string>(page, 'document.querySelector("video").poster')).toContain('/thumbnail');
  await page.waitForLoadState('networkidle');
  expect(films).toEqual([]);
  await ask(page, 'void document.querySelector("video").play()');
  await expect.poll(() => ask<number>(page, 'document.querySelector("video").currentTime')).toBeGreaterThan(0.2);
}

/** The gallery of so many movies of an archive: its posters, then the first film played. */
async function look(store: ArchiveStore, count: number): Promise<void> {
  const desk = await showDesk({ films: store });
  try {
    const batchId = await deliver(desk, store, count);
    await desk.person('oli', 'operator');
    const page = await desk.signIn('oli');
    const answers = watch(page);
    await page.goto(`${desk.url}/batches/${batchId}/gallery`);
    await seeAllPosters(page, count);
    await expect.poll(() => answers.filter(({ type }) => type === 'image').length).toBe(count);
    expect(answers.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(1_500_000);
    expect(answers.filter(({ path }) => /asset_(film|words)/.test(path))).toEqual([]);
    await playAndSeek(page);
    await playOfRow(page, `${desk.url}/batches/${batchId}/rows/hero-1`);
    expect(desk.complaints).toEqual([]);
  } finally {
    await desk.close();
  }
}

test('a page of sixty posters has at most 1.5 MB, nothing is fetched before play, and seeking works', async () => {
  await look(await openStore(`file:${join(folder, 'out')}`, folder), 60);
}, 180_000);

describe('from a bucket', () => {
  const why = whyNoServer('versitygw');
  if (why !== null) {
    test.skip(`skipped: ${why}`);
    return;
  }
  let server: S3Server;
  let leave: () => void;
  beforeAll(async () => {
    server = await startS3Server('versitygw');
    leave = useServer(server);
  });
  afterAll(async () => {
    leave();
    await server.stop();
  });

  test('posters are seen and a film is sought in', async () => {
    const store = createS3Store({ url: 's3://movies/films', stagingFolder: join(folder, 'staging') });
    try {
      await look(store, 2);
    } finally {
      store.close();
    }
  });
});
