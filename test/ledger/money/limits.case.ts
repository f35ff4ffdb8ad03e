import { expect, test } from 'vitest';
import { listAudit } from '../../../ledger/access/audit.js';
import { setBudget, showBudget, startBudget, stopBudget } from '../../../ledger/money/budgets.js';
import { approveBatch } from '../../../ledger/plan/decisions.js';
import type { Databases } from '../databases.js';
import { fay, sam } from '../scene.js';
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
      const has = String.raw`(acme has 100,000\.00|acme/spring has 10,000\.00) USD`;
      for (const path of ['acme/spring/ads', 'acme']) {
        await expect(set(path, 'EUR')).rejects.toMatchObject({
          code: 'bad_argument',
          message: expect.stringMatching(`^Cannot set budget ${path} in EUR: ${has}; one path has one currency$`),
        });
      }
      await set('other', 'EUR');
      await set('acme_spring', 'EUR');
      expect(await set('acme', 'usd')).toMatchObject({ currency: 'USD' });
      expect(await showBudget(scene.ledger, { path: 'other', rehearsal: true })).toMatchObject({ currency: 'EUR' });
    });

    const change = { path: 'acme', rehearsal: true, limitMinor: 500, currency: 'USD', actor: fay };

    test.each([
      ...[-1, 1.5, Number.NaN, 2 ** 60].map((limitMinor) => ({
        ...{ over: { limitMinor }, why: `the limit ${limitMinor} is not a whole number of minor units` },
      })),
      ...['', 'acme/', '/acme', 'acme//spring', 'ac me'].map((path) => ({
        ...{ over: { path }, why: 'a path is names joined by "/", e.g. acme/emea/spring' },
      })),
      ...[0, -1, 101, 12.5, Number.NaN].map((notifyPercent) => ({
        ...{ over: { notifyPercent }, why: `${notifyPercent} is not a whole percentage to notify at; use 1 to 100` },
      })),
      { over: { currency: 'XYZ' }, why: '"XYZ" is not a currency code of ISO 4217, e.g. USD' },
    ])('is not set to $over', async ({ over, why }) => {
      const { scene } = stage;
      const { path } = { ...change, ...over };
      await expect(setBudget(scene.ledger, { ...change, ...over, nowMs: scene.nowMs })).rejects.toMatchObject({
        ...{ code: 'bad_argument', message: `Cannot set budget ${path}: ${why}` },
      });
    });

    test.each([{ limitMinor: 0 }, { notifyPercent: 1 }, { notifyPercent: 100 }, { notifyPercent: null }])(
      'may be set to %o',
      async (over) => {
        const { scene } = stage;
        expect(await setBudget(scene.ledger, { ...change, ...over, nowMs: scene.nowMs })).toMatchObject(over);
      },
    );

    test('is set, stopped and started by finance alone', async () => {
      const { scene } = stage;
      const deed = { path: 'acme', actor: sam, nowMs: scene.nowMs };
      for (const [does, words] of [
        [() => setBudget(scene.ledger, { ...change, ...deed }), 'set'],
        [() => stopBudget(scene.ledger, deed), 'stop'],
        [() => startBudget(scene.ledger, deed), 'start'],
      ] as const) {
        const message = expect.stringMatching(`^Cannot ${words} budget acme: sam `);
        await expect(does()).rejects.toMatchObject({ code: 'not_allowed', message });
      }
    });

    test('says in the audit what its limit was before, and who stopped and started it, once each, and why', async () => {
      const { scene } = stage;
      const { ledger } = scene;
      const path = 'acme/autumn';
      const startMs = scene.nowMs;
      for (const limitMinor of [300, 400]) await scene.fund(path, limitMinor);
      const deed = (reason?: string) => ({ path, actor: fay, nowMs: scene.nowMs, ...(reason && { reason }) });
      await Promise.all([stopBudget(ledger, deed('fraud')), stopBudget(ledger, deed('fraud'))]);
      scene.nowMs += 1_000;
      expect(await stopBudget(ledger, deed('again'))).toMatchObject([{ path, stoppedMs: startMs }]);
      for (const reason of ['all is well', 'again']) {
        expect(await startBudget(ledger, deed(reason))).toMatchObject([{ path, stoppedMs: null }]);
      }
      await stopBudget(ledger, deed());
      const acts = await listAudit(ledger, { object: path, limit: 20 });
      expect(acts.map(({ act, atMs, detail }) => [act, atMs - startMs, detail]).toReversed()).toMatchObject([
        ['budget_set', 0, { limit_minor: 300, limit_before: null }],
        ['budget_set', 0, { limit_minor: 400, limit_before: 300 }],
        ['budget_stop', 0, { reason: 'fraud' }],
        ['budget_start', 1_000, { reason: 'all is well' }],
        ['budget_stop', 1_000, { reason: null }],
      ]);
    });

    test('of one path that are defined at one moment are one, which has the limit of one of them', async () => {
      const { scene } = stage;
      await scene.make(['a'], { settings: { budgetPath: 'acme/spring/first' } });
      const limits = [300, 400, 500];
      await Promise.all(limits.map((limitMinor) => scene.fund('acme/spring/first', limitMinor)));
      const defined = await showBudget(scene.ledger, { path: 'acme/spring/first', rehearsal: true });
      expect(limits).toContain(defined.limitMinor);
      expect(defined.committedMinor).toBe(100);
    });

    test('a batch in another currency than its budget is not stored', async () => {
      const { scene } = stage;
      await expect(scene.seal(['a'], { settings: { currency: 'EUR' } })).rejects.toMatchObject({
        ...{ code: 'no_budget', message: expect.stringContaining('EUR') },
      });
    });

    test('what is not defined is named', async () => {
      const { scene } = stage;
      const refusal = { code: 'unknown_budget', message: 'Cannot find budget nobody: no such level is defined' };
      await expect(showBudget(scene.ledger, { path: 'nobody', rehearsal: true })).rejects.toMatchObject(refusal);
      const deed = { path: 'nobody', actor: fay, nowMs: scene.nowMs };
      for (const does of [stopBudget, startBudget]) {
        await expect(does(scene.ledger, deed)).rejects.toMatchObject(refusal);
      }
    });
  });
}
