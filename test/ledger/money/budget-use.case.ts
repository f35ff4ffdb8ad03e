import { expect, test } from 'vitest';
import * as use from '../../../ledger/money/budget-use.js';
import { reconcileInvoice } from '../../../ledger/money/invoices.js';
import { settleBatch } from '../../../ledger/progress/settle.js';
import type { Databases } from '../databases.js';
import { fay, sam, studio } from '../scene.js';
import { suite } from '../suite.js';
import { delivered, failedAndRefunded, invoice } from './invoice-scene.js';

const dayMs = 24 * 3_600_000;
const level = { path: 'acme', rehearsal: true };

export function budgetUseCases(databases: Databases): void {
  suite('the use of a budget', databases, (stage) => {
    test('is what its batches were to cost, hold, bought and were invoiced at; of a person, of their campaigns', async () => {
      const { scene } = stage;
      await scene.fund('acme', 10_000);
      const done = await scene.make(['a', 'b']);
      const movies = [await scene.deliver(done, 'a'), await scene.deliver(done, 'b')];
      await settleBatch(scene.ledger, { batchId: done, nowMs: scene.nowMs });
      scene.nowMs += 1_000;
      const open = await scene.make(['c', 'd'], { campaign: 'autumn', actor: { ...sam, name: 'ole' } });
      await scene.order(open, 'c');
      await scene.admit(open, 'd');
      const line = { idempotencyKey: null, currency: 'USD', description: null, invoice: null, row: 2 };
      const lines = movies.map((movieId, index) => ({ ...line, movieId, amountMinor: 100 + index * 25 }));
      await reconcileInvoice(scene.ledger, { service: studio, name: 'n', lines, actor: fay, nowMs: scene.nowMs });

      const costs = (inCampaignsOf: string | null) => use.costsUnder(scene.ledger, { ...level, inCampaignsOf });
      const ofOpen = { batchId: open, estimateMinor: 200, postedMinor: 100, invoicedMinor: null };
      const ofDone = { batchId: done, estimateMinor: 200, postedMinor: 200, invoicedMinor: 225 };
      expect(await costs(null)).toEqual([ofOpen, ofDone]);
      expect([await costs('sam'), await costs('ole'), await costs('nobody')]).toEqual([[ofDone], [ofOpen], []]);
      expect(await use.costsUnder(scene.ledger, { ...level, rehearsal: false, inCampaignsOf: null })).toEqual([]);
      const own = (name: string) => use.ownAmong(scene.ledger, { batchIds: [done, open], name });
      expect([[...(await own('ole'))], [...(await own('nobody'))]]).toEqual([[open], []]);

      expect(await use.heldUnder(scene.ledger, level)).toEqual({ heldMinor: 100, unknownMinor: 0, unknownOrders: 0 });
      expect(await use.flowByDay(scene.ledger, level)).toMatchObject([{ approvedMinor: 400, spentMinor: 325 }]);
      expect(await use.outcomesUnder(scene.ledger, level)).toEqual([
        { state: 'delivered', movies: 2, postedMinor: 200 },
        { state: 'running', movies: 1, postedMinor: 100 },
      ]);
      const held = await use.holdsByAge(scene.ledger, { ...level, nowMs: scene.nowMs + 61_000 });
      expect(held).toMatchObject([
        { fromMs: 60_000, orders: 1, amountMinor: 100, oldest: { batchId: open, rowKey: 'd' } },
      ]);
    });

    test('is of what stands under its path, of real money or of rehearsals alone, and nothing beside it', async () => {
      const { scene } = stage;
      await scene.fund('acme-b', 10_000);
      const own = await scene.make(['a'], { settings: { budgetPath: 'acme' } });
      const below = await scene.make(['b'], { campaign: 'below' });
      const beside = await scene.make(['c'], { campaign: 'beside', settings: { budgetPath: 'acme-b' } });
      for (const [batchId, key] of [[own, 'a'] as const, [below, 'b'] as const, [beside, 'c'] as const]) {
        await scene.order(batchId, key);
      }
      const batchesOf = async (budget: typeof level) =>
        (await use.costsUnder(scene.ledger, { ...budget, inCampaignsOf: null })).map(({ batchId }) => batchId);
      expect(await batchesOf(level)).toEqual([below, own].toSorted());
      expect(await batchesOf({ ...level, path: 'acme-b' })).toEqual([beside]);
      expect(await batchesOf({ ...level, rehearsal: false })).toEqual([]);
      expect([...(await use.ownAmong(scene.ledger, { batchIds: [], name: 'sam' }))]).toEqual([]);
    });

    test('has days: what was approved less what came back, what was posted less refunds, with corrections', async () => {
      const { scene } = stage;
      const { movie } = await failedAndRefunded(scene);
      scene.nowMs += dayMs;
      const batchId = await scene.make(['b', 'c'], { campaign: 'winter' });
      await scene.deliver(batchId, 'b');
      await scene.admit(batchId, 'c');
      await scene.answer(batchId, 'c', { kind: 'refused', status: 422, code: 'no', message: 'no', retryAfterMs: null });
      await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs });
      scene.nowMs += dayMs;
      await invoice(scene, { [movie]: 40 });
      expect(await use.flowByDay(scene.ledger, level)).toEqual([
        { day: '2026-11-28', approvedMinor: 100, spentMinor: 0 },
        { day: '2026-11-29', approvedMinor: 100, spentMinor: 100 },
        { day: '2026-11-30', approvedMinor: 0, spentMinor: 40 },
      ]);
    });

    test('has costs less refunds, with what the invoices of each batch changed', async () => {
      const { scene } = stage;
      const first = await delivered(scene, ['a']);
      scene.nowMs += 1_000;
      const { batchId: refunded } = await failedAndRefunded(scene, 'winter');
      scene.nowMs += 1_000;
      const second = await delivered(scene, ['c'], 'summer');
      await invoice(scene, { [first.a]: 130, [second.a]: 150 });
      const same = { estimateMinor: 100, postedMinor: 100 };
      expect(await use.costsUnder(scene.ledger, { ...level, inCampaignsOf: null })).toEqual([
        { ...same, batchId: second.batchId, invoicedMinor: 150 },
        { ...same, batchId: refunded, postedMinor: 0, invoicedMinor: null },
        { ...same, batchId: first.batchId, invoicedMinor: 130 },
      ]);
    });

    test('has the cost of a cheaper invoice, and of one that charges what was taken to be refunded', async () => {
      const { scene } = stage;
      const { batchId: charged, movie } = await failedAndRefunded(scene);
      await settleBatch(scene.ledger, { batchId: charged, nowMs: scene.nowMs });
      scene.nowMs += 1_000;
      const { batchId: cheaper, a } = await delivered(scene, ['c'], 'summer');
      await invoice(scene, { [movie]: 100, [a]: 60 });
      expect(await use.costsUnder(scene.ledger, { ...level, inCampaignsOf: null })).toEqual([
        { batchId: cheaper, estimateMinor: 100, postedMinor: 100, invoicedMinor: 60 },
        { batchId: charged, estimateMinor: 100, postedMinor: 0, invoicedMinor: 100 },
      ]);
    });

    test('holds what waits for an answer, and for a person, each by its age', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b', 'c', 'd']);
      for (const rowKey of ['a', 'b', 'c']) {
        await scene.admit(batchId, rowKey);
        if (rowKey !== 'c') await scene.answer(batchId, rowKey, { kind: 'broken' });
        scene.nowMs += 1_000;
      }
      expect(await use.heldUnder(scene.ledger, level)).toEqual({ heldMinor: 300, unknownMinor: 200, unknownOrders: 2 });
      const sinceMs = scene.nowMs - 3_000;
      const ages = (afterMs: number) => use.holdsByAge(scene.ledger, { ...level, nowMs: sinceMs + afterMs });
      const oldest = { batchId, rowKey: 'a', sinceMs };
      const waiting = { orders: 1, amountMinor: 100, oldest: { batchId, rowKey: 'c', sinceMs: sinceMs + 2_000 } };
      expect(await ages(59_999)).toEqual([
        { fromMs: 0, state: 'unknown', orders: 2, amountMinor: 200, oldest },
        { fromMs: 0, state: 'ordering', ...waiting },
      ]);
      expect(await ages(60_000)).toEqual([
        { fromMs: 60_000, state: 'unknown', orders: 1, amountMinor: 100, oldest },
        {
          ...{ fromMs: 0, state: 'unknown', orders: 1, amountMinor: 100 },
          oldest: { batchId, rowKey: 'b', sinceMs: sinceMs + 1_000 },
        },
        { fromMs: 0, state: 'ordering', ...waiting },
      ]);
      const days = async (afterMs: number) =>
        (await ages(afterMs)).map(({ fromMs, state, orders }) => [fromMs, state, orders]);
      expect(await days(10 * dayMs)).toEqual([
        [7 * dayMs, 'unknown', 2],
        [7 * dayMs, 'ordering', 1],
      ]);
      expect(await days(2 * dayMs)).toEqual([
        [dayMs, 'unknown', 2],
        [dayMs, 'ordering', 1],
      ]);
      expect(await days(-dayMs)).toEqual([
        [0, 'unknown', 2],
        [0, 'ordering', 1],
      ]); // by a clock that is behind
    });

    test('waits for decisions on plans, the dearest first', async () => {
      const { scene } = stage;
      const small = await scene.seal(['a']);
      const large = await scene.seal(['b', 'c'], { campaign: 'winter' });
      await scene.make(['d', 'e', 'f'], { campaign: 'summer' });
      expect(await use.plansUnder(scene.ledger, level)).toEqual([
        { batchId: large, totalMinor: 200 },
        { batchId: small, totalMinor: 100 },
      ]);
      expect(await use.plansUnder(scene.ledger, { ...level, rehearsal: false })).toEqual([]);
    });
  });
}
