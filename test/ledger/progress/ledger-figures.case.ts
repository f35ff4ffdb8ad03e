import { expect, test } from 'vitest';
import { doneSince } from '../../../ledger/progress/done-since.js';
import { ledgerFigures } from '../../../ledger/progress/ledger-figures.js';
import { settleBatch } from '../../../ledger/progress/settle.js';
import type { Databases } from '../databases.js';
import { suite } from '../suite.js';

export function figuresCases(databases: Databases): void {
  suite('figures of the ledger', databases, (stage) => {
    test('are of what is under way, and gone when it is over', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b', 'c']);
      await scene.deliver(batchId, 'a');
      const under = await ledgerFigures(scene.ledger);
      const counts = under.rows.map(({ state, count }) => [state, count]);
      expect(Object.fromEntries(counts)).toEqual({ delivered: 1, planned: 2 });
      expect(under.rows.every((row) => row.batchId === batchId)).toBe(true);
      expect(under.batches).toEqual([{ state: 'making', count: 1 }]);
      expect(under.halted).toBe(false);
      const acme = under.budgets.find(({ path, rehearsal }) => path === 'acme' && rehearsal);
      expect(acme).toMatchObject({ currency: 'USD', limitMinor: 10_000_000 });

      for (const key of ['b', 'c']) await scene.deliver(batchId, key);
      await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs });
      const over = await ledgerFigures(scene.ledger);
      expect(over.rows).toEqual([]);
      expect(over.batches).toEqual([{ state: 'closed', count: 1 }]);
      expect(over.held).toEqual([]);
      expect(over.nextLookMs).toBeNull();
    });

    test('say how long a running movie waits', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.order(batchId, 'a');
      const { oldest, nextLookMs, services } = await ledgerFigures(scene.ledger);
      expect(oldest).toEqual([{ state: 'running', sinceMs: scene.nowMs }]);
      expect(nextLookMs).toBeGreaterThanOrEqual(scene.nowMs);
      expect(services.map(({ inFlight }) => inFlight)).toEqual([1]);
    });

    test('say what was done since a moment, whatever the books have from before', async () => {
      const { scene } = stage;
      const { ledger } = scene;
      const none = { accepted: 0, givenBack: 0, ended: {} };
      expect(await doneSince(ledger, 0)).toEqual(none);
      const batchId = await scene.make(['a', 'b', 'c', 'd', 'e']);
      for (const key of ['a', 'b']) await scene.deliver(batchId, key);
      scene.nowMs += 3_600_000;
      const sinceMs = scene.nowMs;
      expect(await doneSince(ledger, sinceMs)).toEqual(none);
      await scene.deliver(batchId, 'c');
      await scene.order(batchId, 'd');
      await scene.look(batchId, 'd', 'failed');
      await scene.admit(batchId, 'e');
      const refused = { kind: 'refused', status: 400, code: 'moderation', message: 'no', retryAfterMs: null } as const;
      await scene.answer(batchId, 'e', refused);
      const ended = { delivered: 1, failed: 1, rejected: 1 };
      expect(await doneSince(ledger, sinceMs)).toEqual({ accepted: 2, givenBack: 1, ended });
      expect(await doneSince(ledger, 0)).toMatchObject({ accepted: 4, ended: { ...ended, delivered: 3 } });
      expect(await doneSince(ledger, sinceMs + 1)).toEqual(none);
    });
  });
}
