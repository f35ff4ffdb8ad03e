import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifyAudit } from '../../ledger/audit.js';
import { showBudget } from '../../ledger/budgets.js';
import { gateState } from '../../ledger/decisions.js';
import { countRows } from '../../ledger/rows.js';
import { certificateFacts, settleBatch } from '../../ledger/settling.js';
import type { Databases } from './databases.js';
import { price, type Scene, setTheScene } from './scene.js';

/** A batch from its sheet to its closed books. */
export function batchCases(databases: Databases): void {
  describe(`a batch on ${databases.name}`, () => {
    let scene: Scene;
    beforeEach(async () => {
      scene = setTheScene((await databases.open()).ledger);
      await scene.fund('acme', 10_000);
      await scene.fund('acme/spring', 1_000);
    });
    afterEach(() => databases.clear());

    test('makes every row once and its money adds up', async () => {
      const batchId = await scene.make(['a', 'b', 'c']);
      expect(batchId).toBe('spring-1');
      for (const rowKey of ['a', 'b', 'c']) await scene.deliver(batchId, rowKey);
      expect(await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs })).toEqual({ state: 'closed' });
      const { money, state } = await scene.batch(batchId);
      expect(state).toBe('closed');
      expect(money).toMatchObject({ approved: 300, held: 0, posted: 300, returned: 0, unknown: 0 });
      expect(await showBudget(scene.ledger, 'acme')).toMatchObject({ committedMinor: 0, spentMinor: 300 });
      expect(await showBudget(scene.ledger, 'acme/spring')).toMatchObject({ committedMinor: 0, spentMinor: 300 });
      expect(await countRows(scene.ledger, batchId)).toEqual({ delivered: 3 });
      expect(await verifyAudit(scene.ledger)).toMatchObject({ ok: true });
      const facts = await certificateFacts(scene.ledger, batchId);
      expect(facts).toMatchObject({ rowsIn: 3, rowsOut: 3, provisional: false, rehearsal: true });
    });

    test('gives back what it did not use', async () => {
      const batchId = await scene.make(['a', 'b']);
      await scene.deliver(batchId, 'a');
      expect(await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs })).toEqual({ state: 'making' });
      await scene.admit(batchId, 'b');
      const refused = {
        kind: 'refused',
        status: 400,
        code: 'invalid_request',
        message: 'no',
        retryAfterMs: null,
      } as const;
      expect(await scene.answer(batchId, 'b', refused)).toEqual({ kind: 'settled' });
      expect(await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs })).toEqual({ state: 'closed' });
      const { money } = await scene.batch(batchId);
      expect(money).toMatchObject({ approved: 2 * price, held: 0, posted: price, returned: price });
      expect(await showBudget(scene.ledger, 'acme')).toMatchObject({ committedMinor: 0, spentMinor: price });
    });

    test('a second submission of the same sheet orders nothing', async () => {
      const first = await scene.make(['a', 'b']);
      for (const rowKey of ['a', 'b']) await scene.deliver(first, rowKey);
      await settleBatch(scene.ledger, { batchId: first, nowMs: scene.nowMs });
      const second = await scene.seal(['b', 'a']);
      expect(second).toBe('spring-2');
      expect(await gateState(scene.ledger, { batchId: second, nowMs: scene.nowMs })).toEqual({ state: 'closed' });
      expect(await countRows(scene.ledger, second)).toEqual({ unchanged: 2 });
      expect((await scene.batch(second)).money).toMatchObject({ estimated: 0, approved: 0, posted: 0 });
    });
  });
}
