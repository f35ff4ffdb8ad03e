import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  announcedCreates,
  type ConformanceReport,
  estimateRun,
  runConformance,
} from '../../conformance/run-conformance.js';
import type { Service } from '../../conformance/session.js';
import { createStudio, type StudioOptions } from '../../studio/studio.js';
import { handClock } from '../studio/open-studio.js';

const apiKey = 'key-of-the-run';
const jobSeconds = ({ prompt }: { readonly prompt: string }) => (prompt.endsWith('To be canceled.') ? 3600 : 0);

/** Changes an answer on its way; `path` is below the version. */
type Tamper = (
  response: Response,
  at: { readonly method: string; readonly path: string },
) => Response | Promise<Response>;

async function openService(options: Partial<StudioOptions> = {}, tamper: Tamper = (response) => response) {
  const dataFolder = await mkdtemp(join(tmpdir(), 'studio-'));
  const studio = await createStudio({ dataFolder, apiKeys: [apiKey], render: 'stub', jobSeconds, ...options });
  onTestFinished(async () => {
    await studio.close();
    await rm(dataFolder, { recursive: true, force: true });
  });
  const service: Service = {
    baseUrl: 'http://studio.test/v1',
    apiKey,
    fetch: async (request) => {
      const at = { method: request.method, path: new URL(request.url).pathname.replace('/v1', '') };
      return tamper(await studio.fetch(request), at);
    },
    sleep: async () => undefined,
  };
  return { service, studio };
}

function failuresOf({ results }: ConformanceReport): string[] {
  return results.filter(({ outcome }) => outcome.result === 'failed').map(({ id }) => id);
}

test('each clause has an id of its own', async () => {
  const { results } = await runConformance((await openService()).service, { patienceMs: 0 });
  const ids = results.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('the studio keeps every clause, within the creates that were announced, and nothing goes on afterwards', async () => {
  const { service, studio } = await openService();
  const report = await runConformance(service, { patienceMs: 1000 });
  expect(failuresOf(report)).toEqual([]);
  expect(report.idempotency).toEqual({ sameRequest: 'replay', otherRequest: 'refused' });
  expect(report.leftOver).toEqual([]);
  const { movies, creates } = studio.books();
  expect(report.creates).toEqual({
    announced: announcedCreates(),
    sent: 10,
    accepted: creates.map(({ movieId }) => movieId),
  });
  expect(movies.map(({ status }) => status).sort()).toEqual(['canceled', 'completed']);
});

test.each([
  ['conflict', { sameRequest: 'conflict', otherRequest: 'refused' }, 2],
  ['none', { sameRequest: 'none', otherRequest: 'new movie' }, 4],
] as const)('finds idempotency %s, without calling it a breach', async (idempotency, finding, movies) => {
  const { service, studio } = await openService({ idempotency });
  const report = await runConformance(service, { patienceMs: 1000 });
  expect(report.idempotency).toEqual(finding);
  expect(failuresOf(report)).toEqual([]);
  expect(studio.books().creates).toHaveLength(movies);
});

test('no more movies are made than announced by a service that accepts everything', async () => {
  const { service } = await openService();
  let serial = 0;
  const now = new Date().toISOString();
  const accepting: Service = {
    ...service,
    fetch: async (request) => {
      if (!new URL(request.url).pathname.endsWith('/movies')) return service.fetch(request);
      serial += 1;
      return Response.json(
        { id: `movie_${serial}`, status: 'queued', created_at: now, updated_at: now },
        { status: 202 },
      );
    },
  };
  const report = await runConformance(accepting, { patienceMs: 0 });
  expect(serial).toBe(announcedCreates());
  expect(report.creates.accepted).toHaveLength(serial);
  expect(report.leftOver).toHaveLength(serial);
});

test('the price of a run is the service’s own estimate of its movie', async () => {
  const { service, studio } = await openService({ pricing: { centsPerCredit: 7, currency: 'EUR' } });
  expect(await estimateRun(service)).toEqual({ amountMinor: 7, currency: 'EUR', isStudio: true });
  expect(studio.books().creates).toEqual([]);
});

test.each([
  ['an empty success', () => Response.json({}), ['versioning.path']],
  ['a page', () => new Response('<html>', { headers: { 'content-type': 'text/html' } }), ['versioning.path']],
  ['an internal error', () => Response.json({ error: {} }, { status: 500 }), ['versioning.path']],
])('a service that answers %s to everything keeps no clause', async (_, answer, kept) => {
  const service = {
    baseUrl: 'http://other.test/v1',
    apiKey,
    fetch: async () => answer(),
    sleep: async () => undefined,
  };
  const { results } = await runConformance(service, { patienceMs: 0 });
  const passed = results.filter(({ outcome }) => outcome.result === 'passed');
  expect(passed.map(({ id }) => id)).toEqual(kept);
});

/** Rewrites the JSON of the answers to one operation. */
function rewrite(path: RegExp, change: (body: Record<string, unknown>) => unknown, { method = 'POST' } = {}): Tamper {
  return async (response, at) => {
    if (at.method !== method || !path.test(at.path) || response.status >= 400) return response;
    const body = change((await response.json()) as Record<string, unknown>);
    return Response.json(body, { status: response.status });
  };
}

const movies = /^\/movies$/;
const movie = /^\/movies\/movie_\w+$/;
const assets = /\/assets$/;

const as200: Tamper = async (response, { method, path }) =>
  method === 'POST' && movies.test(path) && response.status === 202
    ? Response.json(await response.json(), { status: 200 })
    : response;

describe('a service that breaks a promise is found out:', () => {
  test.each<[string, Tamper, readonly string[]]>([
    ['creates with 200', as200, ['create.accepted']],
    ['shows another prompt', rewrite(movies, (body) => ({ ...body, prompt: 'Another prompt' })), ['create.echo']],
    ['starts jobs in planning', rewrite(movies, (body) => ({ ...body, status: 'planning' })), ['create.queued']],
    [
      'uses a word of its own',
      rewrite(movie, (body) => ({ ...body, status: 'upscaling' }), { method: 'GET' }),
      ['get.movie'],
    ],
    [
      'counts beyond 100 percent',
      rewrite(movie, (body) => ({ ...body, progress: { percent: 101 } }), { method: 'GET' }),
      ['get.movie'],
    ],
    [
      'forgets the final video',
      rewrite(assets, () => ({ data: [] }), { method: 'GET' }),
      ['assets.final', 'assets.download'],
    ],
    [
      'cancels nothing',
      rewrite(/\/cancel$/, (body) => ({ ...body, status: 'rendering' })),
      ['cancel.running', 'cancel.completed'],
    ],
    ['prices in fractions', rewrite(/estimate$/, (body) => ({ ...body, amount_minor: 0.5 })), ['estimate.fields']],
    [
      'prices without a currency',
      rewrite(/estimate$/, (body) => ({ ...body, currency: undefined })),
      ['estimate.fields'],
    ],
    ['gives references no id', rewrite(/references$/, (body) => ({ ...body, id: 'file-1' })), ['references.upload']],
  ])('%s', async (_, tamper, expected) => {
    const { service } = await openService({}, tamper);
    const failures = failuresOf(await runConformance(service, { patienceMs: 0 }));
    for (const id of expected) expect(failures).toContain(id);
  });

  test.each([
    [
      'an error without request_id',
      (error: Record<string, unknown>) => ({ error: { code: error.code, message: 'm' } }),
    ],
    ['a bare message', () => 'Unauthorized'],
    ['a request_id of another form', (error: Record<string, unknown>) => ({ error: { ...error, request_id: '1' } })],
  ])('answers %s', async (_, change) => {
    const { service } = await openService({}, async (response) => {
      if (response.status < 400) return response;
      const { error } = (await response.json()) as { error: Record<string, unknown> };
      return Response.json(change(error), { status: response.status });
    });
    const failures = failuresOf(await runConformance(service, { patienceMs: 0 }));
    for (const id of ['authentication.missing.createMovie', 'getMovie.unknown', 'errors.code', 'estimate.error']) {
      expect(failures).toContain(id);
    }
  });

  test('counts UTF-16 units instead of characters', async () => {
    const { service } = await openService();
    const counting: Service = {
      ...service,
      fetch: async (request) => {
        const isEstimate = request.url.endsWith('/estimate');
        const { prompt } = (isEstimate ? await request.clone().json() : {}) as { prompt?: string };
        if (isEstimate && prompt !== undefined && (prompt.length > 8000 || prompt.length < 10)) return invalid();
        return service.fetch(request);
      },
    };
    const failures = failuresOf(await runConformance(counting, { patienceMs: 0 }));
    expect(failures).toEqual(['limits.prompt-of-8000-emoji']);
  });

  test('says Retry-After in words', async () => {
    const clock = handClock();
    const { service } = await openService({ clock, rate: { perSecond: 20, burst: 5 } }, (response) => {
      if (response.status === 429) response.headers.set('retry-after', 'soon');
      return response;
    });
    const waiting = { ...service, sleep: async (ms: number) => clock.forward(ms / 1000) };
    expect(failuresOf(await runConformance(waiting, { patienceMs: 0 }))).toEqual(['errors.rate-limit']);
  });

  test('does not answer', async () => {
    const { service } = await openService({ faults: { rules: [{ effect: 'reset_after', operation: 'getMovie' }] } });
    const report = await runConformance(service, { patienceMs: 0 });
    const result = report.results.find(({ id }) => id === 'get.movie');
    expect(result?.outcome).toMatchObject({ result: 'failed', problem: 'did not answer' });
  });
});

function invalid(): Response {
  return Response.json({ error: { code: 'invalid_request', message: 'm', request_id: 'req_1' } }, { status: 400 });
}

test('a failure shows what was sent and what came back, without key or signature', async () => {
  const { service } = await openService(
    {},
    rewrite(assets, (body) => ({ ...body, data: [...(body.data as object[]), {}] }), { method: 'GET' }),
  );
  const report = await runConformance(service, { patienceMs: 0 });
  const outcome = report.results.find(({ id }) => id === 'assets.final')?.outcome;
  expect(outcome).toMatchObject({
    result: 'failed',
    exchange: { sent: expect.stringMatching(/^GET \/v1\/movies\/movie_\w+\/assets$/) },
  });
  const text = JSON.stringify(report);
  expect(text).toContain('/files/asset_');
  expect(text).not.toContain('signature=');
  expect(text).not.toContain(apiKey);
});
