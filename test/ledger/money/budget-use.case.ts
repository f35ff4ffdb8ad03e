import { expect, test } from 'vitest';
import * as use from '../../../ledger/money/budget-use.js';
import { reconcileInvoice } from '../../../ledger/money/invoices.js';
import { settleBatch } from '../../../ledger/progress/settle.js';
import type { Databases } from '../databases.js';
import { fay, sam, studio } from '../scene.js';
import { suite } from '../suite.js';

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
  });
}
