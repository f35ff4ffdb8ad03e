import { expect, test } from 'vitest';
import { setBudget, showBudget, stopBudget } from '../../../ledger/money/budgets.js';
import { approveBatch } from '../../../ledger/plan/decisions.js';
import type { Databases } from '../databases.js';
import { fay } from '../scene.js';
import { suite } from '../suite.js';

export function limitsCases(databases: Databases): void {
  suite('budgets', databases, (stage) => {
    test('a limit below what is bound stops new approvals and cancels nothing', async () => {
      const { scene } = stage;
      const first = await scene.make(['a', 'b']);
      await scene.order(first, 'a');
      await scene.fund('acme', 50);
      expect(await scene.admit(first, 'b')).toMatchObject({ kind: 'send' });
      const second = await scene.seal(['c']);
      await expect(
        approveBatch(scene.ledger, { batchId: second, actor: fay, nowMs: scene.nowMs }),
      ).rejects.toMatchObject({
        ...{ code: 'no_room', message: expect.stringContaining('budget acme has -1.50 USD') },
      });
    });

    test('one path has one currency', async () => {
      const { scene } = stage;
      const set = (path: string, currency: string) =>
        setBudget(scene.ledger, { rehearsal: true, path, limitMinor: 10, currency, actor: fay, nowMs: scene.nowMs });
      await expect(set('acme/spring/ads', 'EUR')).rejects.toMatchObject({ code: 'bad_argument' });
      await expect(set('acme', 'EUR')).rejects.toMatchObject({ code: 'bad_argument' });
      await set('other', 'EUR');
      await set('acme_spring', 'EUR');
      expect(await set('acme', 'usd')).toMatchObject({ currency: 'USD' });
      await expect(set('third', 'XYZ')).rejects.toMatchObject({ code: 'bad_argument' });
      expect(await showBudget(scene.ledger, { path: 'other', rehearsal: true })).toMatchObject({ currency: 'EUR' });
    });

    test.each([-1, 1.5, Number.NaN, 2 ** 60])('%d is no limit', async (limitMinor) => {
      const { scene } = stage;
      const change = { path: 'acme', rehearsal: true, limitMinor, currency: 'USD', actor: fay, nowMs: scene.nowMs };
      await expect(setBudget(scene.ledger, change)).rejects.toMatchObject({ code: 'bad_argument' });
    });

    test('a batch in another currency than its budget is not stored', async () => {
      const { scene } = stage;
      await expect(scene.seal(['a'], { settings: { currency: 'EUR' } })).rejects.toMatchObject({
        ...{ code: 'no_budget', message: expect.stringContaining('EUR') },
      });
    });

    test('what is not defined is named', async () => {
      const { scene } = stage;
      await expect(showBudget(scene.ledger, { path: 'nobody', rehearsal: true })).rejects.toMatchObject({
        code: 'unknown_budget',
      });
      await expect(stopBudget(scene.ledger, { path: 'nobody', actor: fay, nowMs: scene.nowMs })).rejects.toMatchObject({
        code: 'unknown_budget',
      });
    });
  });
}
