import { expect, test } from 'vitest';
import { createBatch } from '../../../ledger/plan/create-batch.js';
import { approveBatch, gateState } from '../../../ledger/plan/decisions.js';
import { recordEstimates, rowsToEstimate } from '../../../ledger/plan/estimates.js';
import { sealBatch } from '../../../ledger/plan/seal.js';
import { dearestOfPlan, planSums } from '../../../ledger/plan/sealed-figures.js';
import { findUpload, rememberUpload } from '../../../ledger/plan/uploads.js';
import { batchesToStart } from '../../../ledger/progress/orphans.js';
import type { Databases } from '../databases.js';
import { brief, estimateOf, fay, pages, plainSettings, type Scene, sam, studio } from '../scene.js';
import { suite } from '../suite.js';

const hourMs = 3_600_000;

async function submitted(scene: Scene, keys: readonly string[]): Promise<string> {
  const { batchId } = await createBatch(scene.ledger, {
    ...{ service: studio, campaign: 'spring', actor: sam, nowMs: scene.nowMs, settings: plainSettings },
    manifest: { name: 'spring.csv', columns: ['id', 'prompt'] },
    rows: () => pages(keys.map((key) => brief(key))),
  });
  return batchId;
}

async function keysToEstimate(scene: Scene, batchId: string, afterPosition: number | null = null, limit = 100) {
  const rows = await rowsToEstimate(scene.ledger, { batchId, afterPosition, limit });
  return rows.map(({ rowKey }) => rowKey);
}

async function estimate(scene: Scene, batchId: string, prices: Readonly<Record<string, number | string>>) {
  const estimates = Object.entries(prices).map(([rowKey, priced]) =>
    typeof priced === 'string' ? { rowKey, problem: priced } : { rowKey, ...estimateOf(priced) },
  );
  await recordEstimates(scene.ledger, { batchId, estimates });
}

export function preparingCases(databases: Databases): void {
  suite('preparing a plan', databases, (stage) => {
    test('asks for the price of each row that would be ordered, once, in pages', async () => {
      const { scene } = stage;
      const batchId = await submitted(scene, ['a', 'b', 'c']);
      // Whoever reconciles starts it where its submitter did not.
      expect(await batchesToStart(scene.ledger, { service: studio })).toEqual([{ batchId, state: 'preparing' }]);
      expect(await keysToEstimate(scene, batchId, null, 2)).toEqual(['a', 'b']);
      expect(await keysToEstimate(scene, batchId, 1, 2)).toEqual(['c']);
      await estimate(scene, batchId, { a: 100, b: 200 });
      expect(await keysToEstimate(scene, batchId)).toEqual(['c']);
      await estimate(scene, batchId, { c: 300 });
      expect(await keysToEstimate(scene, batchId)).toEqual([]);
      expect(await sealBatch(scene.ledger, { batchId })).toEqual({
        state: 'waiting',
        reason: null,
      });
      const { totalMinor, credits, runtimeSeconds, assumptions, rowsToOrder } = await scene.batch(batchId);
      expect({ totalMinor, credits, runtimeSeconds, rowsToOrder }).toEqual({
        ...{ totalMinor: 600, credits: 9, runtimeSeconds: 90, rowsToOrder: 3 },
      });
      expect(assumptions).toEqual(['a failed movie is charged']);
    });

    test('rows that are delivered already are not estimated', async () => {
      const { scene } = stage;
      const first = await scene.make(['a']);
      await scene.deliver(first, 'a');
      const batchId = await submitted(scene, ['a', 'b']);
      expect(await keysToEstimate(scene, batchId)).toEqual(['b']);
    });

    test.each([
      ['an error', 'the service answered 503'],
      ['a zero', 0],
      ['a negative amount', -5],
      ['half a cent', 0.5],
    ])('%s instead of a price refuses the plan and names the row', async (_, priced) => {
      const { scene } = stage;
      const batchId = await submitted(scene, ['a', 'b']);
      await estimate(scene, batchId, { a: 100, b: priced });
      const sealed = await sealBatch(scene.ledger, { batchId });
      expect(sealed).toMatchObject({ state: 'refused', reason: expect.stringContaining('b (') });
      expect((await scene.row(batchId, 'b')).amountMinor).toBeNull();
      expect(await gateState(scene.ledger, { batchId })).toEqual({ state: 'refused' });
      await expect(approveBatch(scene.ledger, { batchId, actor: fay, nowMs: scene.nowMs })).rejects.toMatchObject({
        code: 'wrong_state',
      });
    });

    test('a price in another currency than the budget is none', async () => {
      const { scene } = stage;
      const batchId = await submitted(scene, ['a']);
      const estimates = [{ rowKey: 'a', ...estimateOf(100), currency: 'EUR' }];
      await recordEstimates(scene.ledger, { batchId, estimates });
      expect(await sealBatch(scene.ledger, { batchId })).toMatchObject({ state: 'refused' });
    });

    test('a row that was never estimated refuses the plan', async () => {
      const { scene } = stage;
      const batchId = await submitted(scene, ['a', 'b']);
      await estimate(scene, batchId, { a: 100 });
      expect(await sealBatch(scene.ledger, { batchId })).toMatchObject({
        ...{ state: 'refused', reason: expect.stringContaining('never estimated') },
      });
    });

    test('sealing twice answers the same, and prices that come late are not taken', async () => {
      const { scene } = stage;
      const batchId = await submitted(scene, ['a']);
      await estimate(scene, batchId, { a: 100 });
      await sealBatch(scene.ledger, { batchId });
      const before = await scene.batch(batchId);
      await estimate(scene, batchId, { a: 900 });
      expect(await sealBatch(scene.ledger, { batchId })).toEqual({
        state: 'waiting',
        reason: null,
      });
      expect({ ...(await scene.batch(batchId)), revision: 0 }).toEqual({ ...before, revision: 0 });
      expect((await scene.row(batchId, 'a')).amountMinor).toBe(100);
    });

    test('the order of the rows is no part of the plan; a changed word, price, budget or policy is', async () => {
      const { scene } = stage;
      const digestOf = async (...given: Parameters<Scene['seal']>) =>
        (await scene.batch(await scene.seal(...given))).planDigest;
      const plan = await digestOf(['a', 'b']);
      expect(plan).toMatch(/^[0-9a-f]{64}$/);
      expect(await digestOf(['b', 'a'])).toBe(plan);
      const others = [
        await digestOf(['a', brief('b', { prompt: 'A runner at dusk, take b' })]),
        await digestOf(['a', 'b'], { amountMinor: 101 }),
        await digestOf(['a', 'b'], { settings: { budgetPath: 'acme' } }),
        await digestOf(['a', 'b', 'c']),
      ];
      expect(new Set([plan, ...others]).size).toBe(5);
    });

    test('estimates too old to decide on are asked again; no dearer, the plan and its digest stand', async () => {
      const { scene } = stage;
      const batchId = await scene.seal(['a', 'b']);
      const { planDigest, expiresAtMs } = await scene.batch(batchId);
      scene.nowMs += 25 * hourMs;
      const approve = () => approveBatch(scene.ledger, { batchId, actor: fay, nowMs: scene.nowMs });
      await expect(approve()).rejects.toMatchObject({ code: 'stale_estimates' });
      expect(await gateState(scene.ledger, { batchId })).toEqual({ state: 'stale' });
      expect(await keysToEstimate(scene, batchId)).toEqual(['a', 'b']);
      await estimate(scene, batchId, { a: 80, b: 100 });
      expect(await keysToEstimate(scene, batchId)).toEqual([]);
      await sealBatch(scene.ledger, { batchId });
      expect(await scene.batch(batchId)).toMatchObject({ state: 'waiting', planDigest, expiresAtMs, totalMinor: 200 });
      expect(await approve()).toMatchObject({ kind: 'approved' });
    });

    test('a dearer estimate makes another plan, which the old digest does not approve', async () => {
      const { scene } = stage;
      const batchId = await scene.seal(['a', 'b']);
      const { planDigest } = await scene.batch(batchId);
      scene.nowMs += 25 * hourMs;
      const approve = (digest?: string) =>
        approveBatch(scene.ledger, { batchId, actor: fay, nowMs: scene.nowMs, ...(digest ? { digest } : {}) });
      await expect(approve()).rejects.toMatchObject({ code: 'stale_estimates' });
      await estimate(scene, batchId, { a: 150, b: 100 });
      await sealBatch(scene.ledger, { batchId });
      const after = await scene.batch(batchId);
      expect(after).toMatchObject({ state: 'waiting', totalMinor: 250 });
      expect(after.planDigest).not.toBe(planDigest);
      await expect(approve(planDigest ?? '')).rejects.toMatchObject({ code: 'other_plan' });
      expect(await approve(after.planDigest?.slice(0, 12))).toMatchObject({ kind: 'approved' });
    });

    test('what its rows come to is kept while it is sealed: not when a program without that sealed it again', async () => {
      const { scene } = stage;
      const { db } = scene.ledger;
      const batchId = await scene.seal(['a', 'b'], { amountMinor: 150 });
      const shown = async () => {
        const [sum, ...others] = await planSums(db, batchId);
        const [dearest] = await dearestOfPlan(db, batchId);
        return [sum?.amountMinor, others.length, dearest?.amountMinor];
      };
      const change = (table: 'batches' | 'rows', set: object) =>
        db.updateTable(table).set(set).where('batch_id', '=', batchId).execute();
      await change('rows', { amount_minor: 175 });
      expect(await shown()).toEqual([300, 0, 150]); // none of its rows was read
      for (const [set, back] of [
        [{ state: 'preparing' }, { state: 'waiting' }],
        [{ sealed_ms: scene.nowMs + 1 }, { sealed_ms: scene.nowMs }],
      ] as const) {
        await change('batches', set);
        expect(await shown()).toEqual([350, 0, 175]);
        await change('batches', back);
      }
      expect(await shown()).toEqual([300, 0, 150]);
      await change('rows', { amount_minor: 150 });
    });

    test('an upload is remembered by service and content; the first of two counts', async () => {
      const { scene } = stage;
      await scene.seal(['a']);
      const upload = { service: studio, sha256: 'ab'.repeat(32), nowMs: scene.nowMs };
      expect(await findUpload(scene.ledger, upload)).toBeNull();
      await rememberUpload(scene.ledger, { ...upload, referenceId: 'ref_1', mimeType: 'image/png' });
      await rememberUpload(scene.ledger, { ...upload, referenceId: 'ref_2' });
      expect(await findUpload(scene.ledger, upload)).toBe('ref_1');
      const elsewhere = { service: { ...studio, baseUrl: 'elsewhere' }, sha256: upload.sha256 };
      expect(await findUpload(scene.ledger, elsewhere)).toBeNull();
    });

    test('an upload may come before the first batch of its service', async () => {
      const { scene } = stage;
      const upload = { service: { ...studio, name: 'other' }, sha256: 'cd'.repeat(32), nowMs: scene.nowMs };
      await rememberUpload(scene.ledger, { ...upload, referenceId: 'ref_1' });
      expect(await findUpload(scene.ledger, upload)).toBe('ref_1');
    });
  });
}
