import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listBatches } from '../../ledger/batches/batches.js';
import { sealBatch } from '../../ledger/plan/seal.js';
import { findUpload } from '../../ledger/plan/uploads.js';
import { type PlanInput, plan } from '../../operations/plan.js';
import { submit } from '../../operations/submit.js';
import { PricingInterrupted } from '../../pricing/pricing-trouble.js';
import { studio } from '../ledger/scene.js';
import { estimate, everybody, noRemoteFiles, type Office, openOffice, refusal } from './office.js';

const sheet = 'id,prompt,duration\na,A runner at dawn,5\nb,A runner at dusk,6\n';

let office: Office;
beforeEach(async () => {
  office = await openOffice();
});
afterEach(() => office.close());

describe('plan', () => {
  test('has the digest and the total of the batch that the same sheet becomes', async () => {
    await office.scene.fund('spring', 10_000);
    const planned = await planOf(sheet);
    expect(planned).toMatchObject({ totalMinor: 200, currency: 'USD', credits: 6, runtimeSeconds: 60 });
    const manifest = await office.manifest(sheet);
    await submit(office.deps, { manifest, actor: everybody, otherBatch: 'in the way' });
    await office.scene.price('spring-1');
    await sealBatch(office.deps.ledger, { batchId: 'spring-1' });
    expect(planned.planDigest).toBe((await office.scene.batch('spring-1')).planDigest);
  });

  test('stores and orders nothing, and needs no budget', async () => {
    const planned = await planOf(sheet);
    expect(planned.levels).toEqual([]);
    expect(planned.currency).toBe('USD');
    expect(await listBatches(office.deps.ledger, { limit: 10 })).toEqual([]);
    expect(office.told).toEqual([]);
    expect(new Set(office.requests)).toEqual(new Set(['POST /movies/estimate']));
  });

  test('asks only for rows that would be ordered, and says which fields changed', async () => {
    await office.scene.fund('acme', 10_000);
    const batchId = await office.scene.make(['a', 'b']);
    await office.scene.deliver(batchId, 'a');
    await office.scene.deliver(batchId, 'b');
    const again =
      'id,prompt,duration,ratio\na,"A runner at dawn, take a",5,16:9\nb,"A runner at noon, take b",8,16:9\nc,A new runner,5,16:9\n';
    const plain = await planOf(again, { budgetPath: 'acme' });
    expect(plain.rows.map((row) => [row.rowKey, row.class, row.ordered])).toEqual([
      ['a', 'unchanged', false],
      ['b', 'respend', false],
      ['c', 'new', true],
    ]);
    expect(plain.rows[1]?.classDetail?.changed).toEqual(['prompt', 'duration_seconds']);
    expect(office.requests).toHaveLength(1);
    const respent = await planOf(again, { budgetPath: 'acme', respend: true });
    expect(respent).toMatchObject({ totalMinor: 200 });
  });

  test('lists what the campaign has and the sheet has not, apart from its rows, and leaves it out of the digest', async () => {
    await office.scene.fund('acme', 10_000);
    const batchId = await office.scene.make(['b', 'c', 'd']);
    await office.scene.deliver(batchId, 'c');
    const before = (await planOf(sheet)).planDigest;
    const planned = await planOf(sheet);
    expect(planned.rows.map(({ rowKey }) => rowKey)).toEqual(['a', 'b']);
    expect(planned.removed).toEqual([
      { rowKey: 'c', batchId, state: 'delivered' },
      { rowKey: 'd', batchId, state: 'planned' },
    ]);
    await office.scene.order(batchId, 'd');
    expect((await planOf(sheet)).planDigest).toBe(before);
    expect(await office.scene.row(batchId, 'd')).toMatchObject({ state: 'running', cancelRequested: false });
  });

  test('with a limit that is not set yet: its budget, its currency, and nothing stored', async () => {
    const limit = { amountMinor: 150, currency: 'USD' };
    const planned = await planOf(sheet, {}, { limit });
    expect(planned).toMatchObject({ currency: 'USD', totalMinor: 200, levels: [{ limitMinor: 150, spentMinor: 0 }] });
    expect(await office.deps.ledger.db.selectFrom('budgets').selectAll().execute()).toEqual([]);
    await office.scene.fund(planned.budgetPath, 900);
    expect(await planOf(sheet, {}, { limit })).toMatchObject({ levels: [{ limitMinor: 150 }] });
    await expect(planOf(sheet, {}, { limit: { ...limit, currency: 'EUR' } })).rejects.toMatchObject({
      code: 'bad_argument',
    });
  });

  test('uploads a reference once, says so before, and remembers it for the batch', async () => {
    await writeFile(join(office.folder, 'logo.txt'), 'a logo in words');
    office.answer((request) =>
      request.url.endsWith('/references') ? Response.json({ id: 'ref_1' }) : Response.json(estimate()),
    );
    const begun: unknown[] = [];
    const withLogo = 'id,prompt,reference_1\na,A runner at dawn,logo.txt\nb,A runner at dusk,logo.txt\n';
    await planOf(withLogo, {}, { onBegin: (work) => begun.push(work) });
    await planOf(withLogo, {}, { onBegin: (work) => begun.push(work) });
    expect(begun).toEqual([
      { rowsToPrice: 2, filesToUpload: 1 },
      { rowsToPrice: 2, filesToUpload: 0 },
    ]);
    expect(office.requests.filter((request) => request === 'POST /references')).toHaveLength(1);
    const sha256 = createHash('sha256').update('a logo in words').digest('hex');
    expect(await findUpload(office.deps.ledger, { service: studio, sha256 })).toBe('ref_1');
  });

  test('with an unpriced row has no digest, and a total without it', async () => {
    office.answer((_request, body) => (body.includes('dusk') ? refusal(503) : Response.json(estimate())));
    const planned = await planOf(sheet);
    expect(planned.planDigest).toBeNull();
    expect(planned.totalMinor).toBe(100);
    expect(planned.rows[1]).toMatchObject({ amountMinor: null, problem: expect.stringContaining('503') });
  });

  test.each([
    ['another currency than the budget', { currency: 'EUR' }, 'EUR'],
    ['zero', { amount_minor: 0 }, '--allow-free'],
  ])('an estimate of %s prices nothing', async (_what, over, words) => {
    await office.scene.fund('spring', 10_000);
    office.answer(() => Response.json(estimate(over)));
    const planned = await planOf(sheet);
    expect(planned).toMatchObject({ planDigest: null, totalMinor: 0 });
    expect(planned.rows[0]?.problem).toContain(words);
  });

  test('waits where the service asks for it, and asks nothing twice', async () => {
    let calls = 0;
    office.answer(() => {
      calls += 1;
      return calls === 2 ? refusal(429, { 'retry-after': '7' }) : Response.json(estimate());
    });
    const waits: number[] = [];
    const rows = Array.from({ length: 30 }, (_, index) => `row-${index},A runner at dawn take ${index}`);
    const planned = await planOf(
      ['id,prompt', ...rows].join('\n'),
      {},
      { wait: async (delayMs) => void waits.push(delayMs) },
    );
    expect(planned.totalMinor).toBe(3_000);
    expect(waits).toEqual([7_000]);
  });

  test('a service that refuses our key stops it', async () => {
    office.answer(() => refusal(401));
    await expect(planOf(sheet)).rejects.toBeInstanceOf(PricingInterrupted);
  });

  test('asks for no movie service where nothing has a price to learn', async () => {
    await office.scene.fund('acme', 10_000);
    const batchId = await office.scene.make(['a']);
    await office.scene.deliver(batchId, 'a');
    const again = 'id,prompt,duration,ratio\na,"A runner at dawn, take a",5,16:9\n';
    const { rows } = await planOf(
      again,
      { budgetPath: 'acme' },
      { api: () => Promise.reject(new Error('nobody asked')) },
    );
    expect(rows.every(({ ordered }) => !ordered)).toBe(true);
  });

  test('needs the role of a submitter before anything is sent', async () => {
    const actor = { name: 'aud', roles: ['auditor'], channel: 'terminal' } as const;
    await expect(planOf(sheet, {}, { actor })).rejects.toMatchObject({ code: 'not_allowed' });
    expect(office.requests).toEqual([]);
  });
});

async function planOf(text: string, flags: Parameters<Office['manifest']>[1] = {}, over: Partial<PlanInput> = {}) {
  const manifest = await office.manifest(text, flags);
  return plan(office.deps, {
    ...{ manifest, actor: everybody, api: async () => office.api, remoteFiles: noRemoteFiles },
    ...over,
  });
}
