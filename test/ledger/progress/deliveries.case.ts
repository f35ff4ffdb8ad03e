import { expect, test } from 'vitest';
import { alarmGroups } from '../../../ledger/batches/alarms.js';
import { archiveJob, recordArchiveAlarm, recordDelivered, recordLost } from '../../../ledger/progress/deliveries.js';
import { recordPolls } from '../../../ledger/progress/polls.js';
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
      await recordArchiveAlarm(scene.ledger, { batchId, rowKey: 'a', message: 'no space left', nowMs: scene.nowMs });
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'archiving', alarm: 'no space left' });
      await scene.archive(batchId, 'a');
      expect(await archiveJob(scene.ledger, { batchId, rowKey: 'a' })).toBeNull();
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'delivered', alarm: null });
    });

    test('downloads fail since the first try of one cause, whatever differs from try to try', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.order(batchId, 'a');
      await scene.look(batchId, 'a', 'completed');
      const since = async (message: string, laterMs: number) => {
        scene.nowMs += laterMs;
        await recordArchiveAlarm(scene.ledger, { batchId, rowKey: 'a', message, nowMs: scene.nowMs });
        return (await alarmGroups(scene.ledger.db, batchId)).map(({ sinceMs }) => sinceMs);
      };
      const brokeOff = 'Cannot download the file: it broke off 6 times, at';
      const startMs = scene.nowMs;
      expect(await since(`${brokeOff} 10 bytes`, 1_000)).toEqual([startMs + 1_000]);
      expect(await since(`${brokeOff} 2000 bytes`, 60_000)).toEqual([startMs + 1_000]);
      expect(await since('Cannot write the download: the disk is full (ENOSPC)', 60_000)).toEqual([startMs + 121_000]);
    });

    test('looks fail since the first one that was not answered, over all rows; one that is answered ends it', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      const movies = { a: await scene.order(batchId, 'a'), b: await scene.order(batchId, 'b') };
      let request = 0;
      const fail = async (rowKey: 'a' | 'b') => {
        request += 1;
        const alarm = `the service answered 503 (request req_${request})`;
        const poll = { kind: 'unanswered', rowKey, movieId: movies[rowKey], alarm, followAtMs: scene.nowMs } as const;
        await recordPolls(scene.ledger, { batchId, polls: [poll] });
        scene.nowMs += 60_000;
      };
      const startMs = scene.nowMs;
      await fail('b');
      await fail('a');
      await fail('b');
      const [group] = await alarmGroups(scene.ledger.db, batchId);
      expect(group).toMatchObject({ alarm: 'the service answered 503', rows: 2, sinceMs: startMs });
      await scene.look(batchId, 'b', 'rendering');
      expect((await alarmGroups(scene.ledger.db, batchId))[0]).toMatchObject({ rows: 1, sinceMs: startMs + 60_000 });
      await fail('b');
      expect((await alarmGroups(scene.ledger.db, batchId))[0]).toMatchObject({ rows: 2, sinceMs: startMs + 60_000 });
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
