import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createMovieApi, type MovieApi } from '../../api/movie-api.js';
import { downloadAsset } from '../../archive/download/download.js';
import { type ServedStudio, serveStudio } from '../../studio/serve.js';
import { createProxy, type Toxic, type WireProxy } from './proxy.js';
import { everyLoss } from './toxics.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const apiKey = 'key-of-the-wire';
const brief = { prompt: 'A lighthouse at dusk, gulls above it', duration_seconds: 5 };

let folder: string;
let studio: ServedStudio;
let proxy: WireProxy;
let api: MovieApi;
let agent: Agent;
let movieId: string;
let film: Buffer;
let toxic: Toxic;
let serial = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-wire-'));
  studio = await serveStudio({ port: 0, dataFolder: join(folder, 'studio'), apiKeys: [apiKey], render: 'stub' });
  toxic = { kind: 'pass' };
  proxy = await createProxy(studio.port, ({ line }) => {
    if (!line.includes('/files/')) return { kind: 'pass' };
    const now = toxic;
    toxic = { kind: 'pass' };
    return now;
  });
  api = createMovieApi({ baseUrl: `http://127.0.0.1:${proxy.port}/v1`, apiKey });
  agent = new Agent();
  movieId = (await api.createMovie(JSON.stringify(brief), { idempotencyKey: 'order-of-the-wire' })).id;
  await vi.waitFor(async () => expect((await api.getMovie(movieId)).status).toBe('completed'), { timeout: 60_000 });
  film = Buffer.from(await (await fetch(await freshUrl())).arrayBuffer());
});
afterAll(async () => {
  await Promise.all([api.close(), agent.close()]);
  await proxy.close();
  await studio.close();
  await rm(folder, { recursive: true, force: true });
});

/** The same file by way of the proxy. */
async function freshUrl(): Promise<string> {
  const video = (await api.listAssets(movieId)).find(({ type }) => type === 'final_video');
  return (video?.url ?? '').replace(`:${studio.port}/`, `:${proxy.port}/`);
}

async function download(partFile: string) {
  const options = { url: await freshUrl(), refreshUrl: freshUrl, partFile, silenceMs: 1_000, dispatcher: agent };
  return downloadAsset({ ...options, expected: { mimeType: 'video/mp4' } });
}

const everywhere = [0, 1, 40, 150, 700, 2_000, 5_000];

/** In the request line, in its headers; in the answer's status line, its headers, and all over the file. */
const toxics: readonly Toxic[] = [
  ...everyLoss({ request: [6, 90], cut: everywhere, end: everywhere, stall: everywhere }),
  { kind: 'latency', delayMs: 200 },
];

describe('a file', () => {
  test.each(toxics)('on a wire with $kind at $afterBytes: never half of it, and all of it in the end', async (one) => {
    serial += 1;
    const partFile = join(folder, `${serial}.part`);
    const sha256 = createHash('sha256').update(film).digest('hex');
    toxic = one;
    const before = proxy.requests.length;
    // What began is gone on with by itself; what did not is for whoever calls to try again.
    const first = await download(partFile).catch((error: unknown) => error);
    if (first instanceof Error) expect(first.name).toBe('DownloadError');
    else expect(first).toEqual({ sha256, sizeBytes: film.length });
    expect(proxy.requests.slice(before).some(({ line }) => line.includes('/files/'))).toBe(true);
    expect(toxic).toEqual({ kind: 'pass' });
    const last = first instanceof Error ? await download(partFile) : first;
    expect(last).toEqual({ sha256, sizeBytes: film.length });
    expect((await readFile(partFile)).equals(film)).toBe(true);
  });
});
