import { expect, test } from 'vitest';
import { startBudget, stopBudget } from '../../../ledger/money/budgets.js';
import { whyWithheld } from '../../../ledger/orders/why-withheld.js';
import { requestCancel } from '../../../ledger/progress/cancels.js';
import { continueBatch, pauseBatch, resumeBatch } from '../../../ledger/stops/stops.js';
import type { Databases } from '../databases.js';
import { fay, oli, type Scene } from '../scene.js';
import { suite } from '../suite.js';

const settledElsewhere = 'the row was settled by another send';

/** A batch with one send that was admitted and has not left. */
async function admitted(scene: Scene, settings: { readonly tolerance?: number; readonly canary?: number } = {}) {
  const batchId = await scene.make(['a', 'b', 'c'], { settings });
  expect(await scene.admit(batchId, 'a')).toMatchObject({ kind: 'send', attempt: 1 });
  const why = (attempt = 1) => whyWithheld(scene.ledger, { batchId, rowKey: 'a', attempt });
  expect(await why()).toBeNull();
  return { batchId, why, by: { batchId, actor: oli, nowMs: scene.nowMs } };
}

export function withheldCases(databases: Databases): void {
  suite('a send that was admitted and has not left', databases, (stage) => {
    test('stays while its batch is paused', async () => {
      const { scene } = stage;
      const { why, by } = await admitted(scene);
      await pauseBatch(scene.ledger, by);
      expect(await why()).toBe('ordering was stopped (paused) before it was sent');
      await resumeBatch(scene.ledger, by);
      expect(await why()).toBeNull();
    });

    test('stays after its batch has tripped', async () => {
      const { scene } = stage;
      const { batchId, why, by } = await admitted(scene, { tolerance: 0 });
      await scene.admit(batchId, 'b');
      await scene.answer(batchId, 'b', { kind: 'refused', status: 400, code: 'no', message: 'no', retryAfterMs: null });
      expect(await why()).toBe('ordering was stopped (tripped) before it was sent');
      await continueBatch(scene.ledger, by);
      expect(await why()).toBeNull();
    });

    test('leaves though the canary that it belongs to waits for somebody to look, but not under a pause beside it', async () => {
      const { scene } = stage;
      const { batchId, why, by } = await admitted(scene, { canary: 1 });
      expect((await scene.batch(batchId)).stops).toMatchObject([{ kind: 'canary' }]);
      await pauseBatch(scene.ledger, by);
      expect(await why()).toBe('ordering was stopped (paused) before it was sent');
    });

    test.each(['acme', 'acme/spring'])('stays while budget %s is stopped', async (path) => {
      const { scene } = stage;
      const { why } = await admitted(scene);
      await stopBudget(scene.ledger, { path, actor: fay, nowMs: scene.nowMs });
      expect(await why()).toBe(`budget ${path} was stopped before it was sent`);
      await startBudget(scene.ledger, { path, actor: fay, nowMs: scene.nowMs });
      expect(await why()).toBeNull();
    });

    test('leaves while a budget is stopped that it does not spend, be it one below or beside its own', async () => {
      const { scene } = stage;
      const { why } = await admitted(scene);
      for (const path of ['acme/spring/first', 'acme/sprin', 'acme/spring-b', 'zeta']) {
        await scene.fund(path, 1_000);
        await stopBudget(scene.ledger, { path, actor: fay, nowMs: scene.nowMs });
      }
      expect(await why()).toBeNull();
    });

    test('stays after a cancel', async () => {
      const { scene } = stage;
      const { why, by } = await admitted(scene);
      await requestCancel(scene.ledger, { ...by, rowKeys: ['a'], reason: 'wrong shoe' });
      expect(await why()).toBe('it was canceled before it was sent');
    });

    test('stays while the ledger was restored and nobody has looked', async () => {
      const { scene } = stage;
      const { why } = await admitted(scene);
      await scene.ledger.db.updateTable('ledger').set({ halted: 'the archive is ahead' }).execute();
      expect(await why()).toBe('ordering was stopped (restored) before it was sent');
      await scene.ledger.db.updateTable('ledger').set({ halted: null }).execute();
      expect(await why()).toBeNull();
    });

    test('stays where another send has settled the row, or is of another attempt, or the row is not there', async () => {
      const { scene } = stage;
      const { batchId, why } = await admitted(scene);
      expect(await why(2)).toBe(settledElsewhere);
      expect(await whyWithheld(scene.ledger, { batchId, rowKey: 'b', attempt: 1 })).toBe(settledElsewhere); // planned
      expect(await whyWithheld(scene.ledger, { batchId, rowKey: 'z', attempt: 1 })).toBe(settledElsewhere);
      expect(await whyWithheld(scene.ledger, { batchId: 'none-1', rowKey: 'a', attempt: 1 })).toBe(settledElsewhere);
      await scene.answer(batchId, 'a', { kind: 'broken' });
      expect(await why()).toBe(settledElsewhere);
    });
  });
}
