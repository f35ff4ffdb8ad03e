import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMovieApi } from '../../api/movie-api.js';
import type { Brief, BriefReference } from '../../domain/brief.js';
import { type PricedRow, priceRows } from '../../pricing/price-rows.js';
import { PricingInterrupted } from '../../pricing/pricing-trouble.js';
import type { RemoteFiles, Uploads } from '../../pricing/reference-uploader.js';

const estimate = {
  estimated_credits: 12,
  estimated_runtime_seconds: 60,
  currency: 'USD',
  amount_minor: 300,
  assumptions: ['a failed movie is charged'],
};
const noRemoteFiles: RemoteFiles = { fetch: () => Promise.reject(new Error('not expected in this test')) };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenlight-price-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('pricing rows', () => {
  test('gives each row the price that the service says', async () => {
    const { priced } = await price([brief('ep-01'), brief('ep-02')], () => Response.json(estimate));
    expect(byKey(priced).get('ep-02')).toEqual({
      rowKey: 'ep-02',
      amountMinor: 300,
      currency: 'USD',
      credits: 12,
      runtimeSeconds: 60,
      assumptions: ['a failed movie is charged'],
    });
    expect(priced).toHaveLength(2);
  });

  test('a reference of many rows is uploaded once, and remembered with its type', async () => {
    const logo = await file(
      'logo.png',
      Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'),
    );
    const briefs = ['a', 'b', 'c', 'd'].map((key) => brief(key, { references: [logo] }));
    const { requests, remembered } = await price(briefs, (request) =>
      request.url.endsWith('/references') ? Response.json({ id: 'ref_1' }, { status: 201 }) : Response.json(estimate),
    );
    expect(requests.filter(({ path }) => path === '/references')).toHaveLength(1);
    expect(requests.find(({ path }) => path === '/references')?.body).toContain('Content-Type: image/png');
    expect([...remembered.values()]).toEqual([{ referenceId: 'ref_1', mimeType: 'image/png' }]);
    const estimates = requests.filter(({ path }) => path === '/movies/estimate').map(({ body }) => JSON.parse(body));
    expect(estimates.map((body) => body.references)).toEqual(
      Array.from({ length: 4 }, () => [{ reference_id: 'ref_1', role: 'product' }]),
    );
  });

  test('an upload carries the role and the description of its reference', async () => {
    const logo = { ...(await file('logo.png', Buffer.from('bytes'))), description: 'Keep it small' };
    const { requests } = await price([brief('a', { references: [logo] })], (request) =>
      request.url.endsWith('/references') ? Response.json({ id: 'ref_1' }, { status: 201 }) : Response.json(estimate),
    );
    const upload = requests.find(({ path }) => path === '/references')?.body ?? '';
    expect(upload).toMatch(/name="role"\s+product\s/);
    expect(upload).toMatch(/name="description"\s+Keep it small\s/);
  });

  test('a reference that an earlier run uploaded is not uploaded again', async () => {
    const logo = await file('logo.png', Buffer.from('bytes'));
    const { requests } = await price([brief('a', { references: [logo] })], () => Response.json(estimate), {
      known: new Map([[shaOf('bytes'), 'ref_old']]),
    });
    expect(requests.map(({ path }) => path)).toEqual(['/movies/estimate']);
  });

  test('a file that changed after the check prices no row, and is not remembered', async () => {
    const logo = await file('logo.png', Buffer.from('bytes'));
    await writeFile(join(folder, 'logo.png'), 'other');
    const { priced, remembered } = await price([brief('a', { references: [logo] }), brief('b')], (request) =>
      request.url.endsWith('/references') ? Response.json({ id: 'ref_1' }) : Response.json(estimate),
    );
    expect(byKey(priced).get('a')).toMatchObject({ passing: false, problem: expect.stringContaining('changed since') });
    expect(byKey(priced).get('b')).toMatchObject({ amountMinor: 300 });
    expect(remembered.size).toBe(0);
  });

  test('a file that is gone is a problem of its rows alone', async () => {
    const logo = await file('logo.png', Buffer.from('bytes'));
    await rm(join(folder, 'logo.png'));
    const { priced } = await price([brief('a', { references: [logo] }), brief('b')], () => Response.json(estimate));
    expect(byKey(priced).get('a')).toMatchObject({ passing: false, problem: expect.stringContaining('ENOENT') });
    expect(byKey(priced).get('b')).toMatchObject({ amountMinor: 300 });
  });

  test.each([
    [422, false],
    [500, true],
    [503, true],
  ])('a row answered %i is unpriced, and the others are priced', async (status, passing) => {
    const { priced } = await price([brief('good'), brief('bad')], (_, body) =>
      body.includes('take bad') ? problem(status) : Response.json(estimate),
    );
    expect(byKey(priced).get('bad')).toMatchObject({ passing, problem: expect.stringContaining(String(status)) });
    expect(byKey(priced).get('good')).toMatchObject({ amountMinor: 300 });
  });

  test('an estimate that breaks the interface is unpriced, never zero', async () => {
    const { priced } = await price([brief('a')], () => Response.json({ ...estimate, amount_minor: -1 }));
    expect(priced).toEqual([{ rowKey: 'a', passing: false, problem: expect.stringContaining('amount_minor') }]);
  });

  test.each([401, 402, 403])('%i stops the pricing and keeps what was answered', async (status) => {
    let calls = 0;
    const answer = () => (++calls <= 2 ? Response.json(estimate) : problem(status));
    const error = await interrupted(
      ['a', 'b', 'c', 'd', 'e'].map((key) => brief(key)),
      answer,
    );
    expect(error.priced.map(({ rowKey }) => rowKey)).toEqual(['a', 'b']);
    expect(error.cause).toMatchObject({ status });
    expect(calls).toBe(3);
  });

  test('429 says how long to wait', async () => {
    const error = await interrupted([brief('a')], () => problem(429, { 'retry-after': '7' }));
    expect(error.retryAfterMs).toBe(7_000);
  });

  test('a service that answers 500 to everything is away, not five thousand bad rows', async () => {
    let calls = 0;
    const briefs = Array.from({ length: 200 }, (_, index) => brief(`row-${index}`));
    const error = await interrupted(briefs, () => {
      calls += 1;
      return problem(500);
    });
    expect(error.cause).toMatchObject({ status: 500 });
    expect(calls).toBe(5);
  });

  test('an abort rejects with its reason', async () => {
    const abort = new AbortController();
    const answer = () => {
      abort.abort(new Error('stopped by a person'));
      return Response.json(estimate);
    };
    await expect(price([brief('a'), brief('b')], answer, { signal: abort.signal })).rejects.toThrow(
      'stopped by a person',
    );
  });
});

interface Seen {
  readonly path: string;
  readonly body: string;
}

async function price(
  briefs: readonly Brief[],
  answer: (request: Request, body: string) => Response,
  options: { readonly known?: ReadonlyMap<string, string>; readonly signal?: AbortSignal } = {},
) {
  const requests: Seen[] = [];
  const api = createMovieApi({
    baseUrl: 'http://service.test/v1',
    apiKey: 'test-key',
    fetch: async (request) => {
      const body = await request.text();
      requests.push({ path: new URL(request.url).pathname.replace('/v1', ''), body });
      return answer(request, body);
    },
  });
  const remembered = new Map<string, { referenceId: string; mimeType: string | null }>();
  const uploads: Uploads = {
    find: async (sha256) => options.known?.get(sha256) ?? null,
    remember: async (sha256, upload) => void remembered.set(sha256, upload),
  };
  const priced = await priceRows({
    ...{ api, uploads, briefs, remoteFiles: noRemoteFiles, concurrency: 1, signal: options.signal },
  });
  return { priced, requests, remembered };
}

async function interrupted(briefs: readonly Brief[], answer: () => Response): Promise<PricingInterrupted> {
  const error = await price(briefs, answer).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(PricingInterrupted);
  return error as PricingInterrupted; // checked above
}

function problem(status: number, headers: Record<string, string> = {}): Response {
  const error = { code: 'some_code', message: 'some words', request_id: 'req_1' };
  return Response.json({ error }, { status, headers });
}

function brief(rowKey: string, over: Partial<Brief> = {}): Brief {
  return {
    rowKey,
    prompt: `A runner at dawn, take ${rowKey}`,
    durationSeconds: 5,
    aspectRatio: null,
    style: null,
    references: [],
    ...over,
  };
}

async function file(name: string, bytes: Buffer): Promise<BriefReference> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return {
    source: { kind: 'file', path, sha256: shaOf(bytes), sizeBytes: bytes.length },
    role: 'product',
    description: null,
  };
}

function shaOf(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function byKey(rows: readonly PricedRow[]): ReadonlyMap<string, PricedRow> {
  return new Map(rows.map((row) => [row.rowKey, row]));
}
