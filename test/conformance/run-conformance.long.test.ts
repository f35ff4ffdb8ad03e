import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  announcedCreates,
  type ConformanceReport,
  estimateRun,
  runConformance,
} from '../../conformance/run-conformance.js';
import type { Service } from '../../conformance/service.js';
import { createStudio, type StudioOptions } from '../../studio/studio.js';

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
  expect(report.creates.accepted).toEqual(creates.map(({ movieId }) => movieId));
  expect(report.creates.sent).toBeLessThanOrEqual(report.creates.announced);
  expect(creates.length).toBeLessThanOrEqual(announcedCreates().orders.length);
  expect(movies.every(({ endedMs }) => endedMs !== null)).toBe(true);
});

test.each([
  ['conflict', { sameRequest: 'conflict', otherRequest: 'refused' }],
  ['none', { sameRequest: 'none', otherRequest: 'new movie' }],
] as const)('finds idempotency %s, without calling it a breach', async (idempotency, finding) => {
  const { service } = await openService({ idempotency });
  const report = await runConformance(service, { patienceMs: 1000 });
  expect(report.idempotency).toEqual(finding);
  expect(failuresOf(report)).toEqual([]);
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
  expect(serial).toBeLessThanOrEqual(report.creates.announced);
  expect(report.creates.accepted).toHaveLength(serial);
  expect(report.leftOver).toHaveLength(serial);
});

test('the price of a run is the sum of the service’s own estimates of what it should make', async () => {
  const { service, studio } = await openService({ pricing: { centsPerCredit: 7, currency: 'EUR' } });
  // 120 s in 4:5, 30 s, and all others 5 s.
  const credits = 36 + 6 + (announcedCreates().orders.length - 2);
  expect(await estimateRun(service)).toEqual({ amountMinor: 7 * credits, currency: 'EUR', isStudio: true });
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

test('a service that does not answer is found out', async () => {
  const { service } = await openService({ faults: { rules: [{ effect: 'reset_after', operation: 'getMovie' }] } });
  const report = await runConformance(service, { patienceMs: 0 });
  const result = report.results.find(({ id }) => id === 'get.movie');
  expect(result?.outcome).toMatchObject({ result: 'failed', problem: 'did not answer' });
});

test('what cannot be made is the failure of one clause; what needs it is not testable', async () => {
  const { service } = await openService({}, (response, { method, path }) =>
    method === 'POST' && path === '/movies' && response.status === 202 ? new Response('{}', { status: 503 }) : response,
  );
  const { results } = await runConformance(service, { patienceMs: 0 });
  const outcomeOf = (id: string) => results.find((result) => result.id === id)?.outcome;
  expect(outcomeOf('create.accepted')).toMatchObject({ result: 'failed', problem: 'answered 503, not 202' });
  for (const id of ['create.queued', 'get.movie', 'assets.final', 'cancel.completed', 'events.poll']) {
    expect(outcomeOf(id)).toEqual({
      result: 'not testable',
      reason: expect.stringMatching(/^it needs .*, which is not available$/),
    });
  }
});

test('a failure shows what was sent and what came back, without key or signature', async () => {
  const { service } = await openService({}, async (response, { path }) => {
    if (!path.endsWith('/assets') || !response.ok) return response;
    const { data } = (await response.json()) as { readonly data: readonly { readonly type: string }[] };
    return Response.json({ data: data.filter(({ type }) => type !== 'final_video') });
  });
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
