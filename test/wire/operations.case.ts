import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Operation } from '../../api/contract.js';
import { createMovieApi, type MovieApi } from '../../api/movie-api.js';
import { type ServedStudio, serveStudio } from '../../studio/serve.js';
import { createProxy, type Toxic, type WireProxy } from './proxy.js';
import { everyLoss } from './toxics.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const apiKey = 'key-of-the-wire';
const brief = { prompt: 'A lighthouse at dusk, gulls above it', duration_seconds: 5 };
const file = Buffer.from('A style guide in plain words.\n'.repeat(1_000));

let folder: string;
let studio: ServedStudio;
let proxy: WireProxy;
/** Who meets a stall gives up soon; everybody else waits, since a busy machine is no fault. */
let patient: MovieApi;
let hasty: MovieApi;
let api: MovieApi;
let first: Toxic;
let movieId: string;
let serial = 0;

// One for all: each case has an order of its own.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-wire-'));
  studio = await serveStudio({
    port: 0,
    dataFolder: join(folder, 'studio'),
    apiKeys: [apiKey],
    render: 'stub',
    books: true,
  });
  proxy = await createProxy(studio.port, () => {
    const toxic = first;
    first = { kind: 'pass' };
    return toxic;
  });
  const through = (waitMs: number) =>
    createMovieApi({
      baseUrl: `http://127.0.0.1:${proxy.port}/v1`,
      apiKey,
      timeouts: { connectMs: 10_000, headersMs: waitMs, bodyMs: waitMs },
    });
  [patient, hasty] = [through(60_000), through(500)];
});
afterAll(async () => {
  await Promise.all([patient.close(), hasty.close()]);
  await proxy.close();
  await studio.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  first = { kind: 'pass' };
  serial += 1;
  movieId = (await createDirectly()).id;
});

/** Past the proxy, so that no case leaves it a connection. */
async function createDirectly() {
  const direct = createMovieApi({ baseUrl: studio.url, apiKey });
  try {
    return await direct.createMovie(JSON.stringify(brief), { idempotencyKey: `before-case-${serial}` });
  } finally {
    await direct.close();
  }
}

const calls: Readonly<Record<Operation, () => Promise<unknown>>> = {
  uploadReference: () =>
    api.uploadReference({
      name: 'guide.txt',
      mimeType: 'text/plain',
      sizeBytes: file.length,
      open: () => Readable.from([file], { objectMode: false }),
    }),
  estimateMovie: () => api.estimateMovie(brief),
  createMovie: () => api.createMovie(JSON.stringify(brief), { idempotencyKey: `order-${serial}-on-the-wire` }),
  getMovie: () => api.getMovie(movieId),
  cancelMovie: () => api.cancelMovie(movieId),
  listAssets: () => api.listAssets(movieId),
};

/** In the request line, in the headers, in the body of what has one; and the same of the answer. */
const toxics = everyLoss({ request: [6, 90], cut: [1, 40], end: [5, 150], stall: [0, 150] });

/** What every bad wire does to these calls: one request each, and nothing taken for proof. */
export function onBadWires(operations: readonly Operation[]): void {
  describe.each(operations)('%s', (operation) => {
    test.each(toxics)(
      'on a wire with $kind: one request, no proof of anything, and the next one works',
      async (toxic) => {
        const before = proxy.requests.length;
        const creates = studio.studio.books().creates.length;
        first = toxic;
        api = toxic.kind === 'stall' ? hasty : patient;
        await expect(calls[operation]()).rejects.toMatchObject({ name: 'ConnectionError', operation, sent: 'maybe' });
        expect(proxy.requests).toHaveLength(before + 1);
        api = patient;
        await expect(calls[operation]()).resolves.toBeTruthy();
        expect(studio.studio.books().creates).toHaveLength(creates + (operation === 'createMovie' ? 1 : 0));
      },
    );

    test('on a slow wire: one request, and its answer', async () => {
      const before = proxy.requests.length;
      first = { kind: 'latency', delayMs: 300 };
      api = patient;
      await expect(calls[operation]()).resolves.toBeTruthy();
      expect(proxy.requests).toHaveLength(before + 1);
    });
  });
}
