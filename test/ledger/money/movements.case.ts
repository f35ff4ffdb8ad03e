import { expect, test } from 'vitest';
import { lockBatch } from '../../../ledger/batches/batch-record.js';
import { listEntries } from '../../../ledger/money/entries.js';
import { post, release } from '../../../ledger/money/movements.js';
import type { Databases } from '../databases.js';
import { suite } from '../suite.js';

export function movementsCases(databases: Databases): void {
  suite('money moves', databases, (stage) => {
    const ends = { posted: post, released: release };
    const twice = Object.keys(ends).flatMap((first) => Object.keys(ends).map((second) => ({ first, second })));

    test.each(twice)('once: what was $first is not $second as well', async ({ first, second }) => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b', 'c']);
      const refused = { kind: 'refused', status: 422, code: 'no', message: 'no', retryAfterMs: null } as const;
      if (first === 'posted') {
        await scene.order(batchId, 'a');
      } else {
        await scene.admit(batchId, 'a');
        await scene.answer(batchId, 'a', refused);
      }
      for (const held of ['b', 'c']) await scene.admit(batchId, held); // so that the counters alone would allow it
      const before = (await scene.batch(batchId)).money;
      const entries = await listEntries(scene.ledger, { batchId, limit: 20 });
      const again = ends[second as keyof typeof ends];
      // `b` is held: beside it, `a` is no less refused.
      const movements = ['b', 'a'].map((rowKey) => ({ rowKey, attempt: 1, amountMinor: 100, nowMs: scene.nowMs }));
      const moving = scene.ledger.write(async (tx) => again(tx, await lockBatch(tx, batchId), movements));
      await expect(moving).rejects.toMatchObject({
        ...{ code: 'corrupt_books', message: `Cannot end the hold of ${batchId} a: it ended before` },
      });
      expect((await scene.batch(batchId)).money).toEqual(before);
      expect(await listEntries(scene.ledger, { batchId, limit: 20 })).toEqual(entries);
    });
  });
}
