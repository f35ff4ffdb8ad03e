import { expect, test } from 'vitest';
import { archiveJob, recordArchiveAlarm, recordDelivered, recordLost } from '../../../ledger/progress/deliveries.js';
import type { Databases } from '../databases.js';
import { suite } from '../suite.js';

export function archivingCases(databases: Databases): void {
  suite('archiving', databases, (stage) => {
    test('a job says what to save, where, and until when it may be missing', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      const id = await scene.order(batchId, 'a');
      expect(await archiveJob(scene.ledger, { batchId, rowKey: 'a' })).toBeNull();
      await scene.look(batchId, 'a', 'completed');
      expect(await archiveJob(scene.ledger, { batchId, rowKey: 'a' })).toMatchObject({
        ...{ movieId: id, folder: `${batchId}/a`, attempt: 1, finishedAtMs: scene.nowMs },
        ...{ lostAfterMs: scene.nowMs + 3_600_000, brief: { rowKey: 'a', durationSeconds: 5 } },
      });
      await recordArchiveAlarm(scene.ledger, { batchId, rowKey: 'a', message: 'no space left' });
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'archiving', alarm: 'no space left' });
      await scene.archive(batchId, 'a');
      expect(await archiveJob(scene.ledger, { batchId, rowKey: 'a' })).toBeNull();
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'delivered', alarm: null });
    });

    test('delivered twice is delivered once; lost after that is nothing', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.deliver(batchId, 'a');
      const before = await scene.row(batchId, 'a');
      scene.nowMs += 5;
      await scene.archive(batchId, 'a');
      await recordLost(scene.ledger, { batchId, rowKey: 'a', reason: 'gone', nowMs: scene.nowMs });
      expect(await scene.row(batchId, 'a')).toEqual(before);
    });

    test('nothing is delivered without a file', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.order(batchId, 'a');
      await scene.look(batchId, 'a', 'completed');
      const delivery = { batchId, rowKey: 'a', files: [], verdict: 'as ordered', nowMs: scene.nowMs };
      await expect(recordDelivered(scene.ledger, delivery)).rejects.toThrow('no file was saved');
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'archiving' });
    });

    test('a lost movie says why', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.order(batchId, 'a');
      await scene.look(batchId, 'a', 'completed');
      await recordLost(scene.ledger, { batchId, rowKey: 'a', reason: 'no final video', nowMs: scene.nowMs });
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'lost', reason: 'no final video', money: 'posted' });
    });
  });
}
