import { expect, test } from 'vitest';
import { type Message, messageFailed, messageSent, nextMessage } from '../../../ledger/notices/outbox.js';
import { noteNoWorker, noteWorkersBack, remindOfApprovals } from '../../../ledger/notices/reminders.js';
import { turnOnChannel } from '../../../ledger/notices/turn-on.js';
import { approveBatch, rejectBatch } from '../../../ledger/plan/decisions.js';
import { recordLost } from '../../../ledger/progress/deliveries.js';
import { pauseBatch } from '../../../ledger/stops/stops.js';
import type { Databases } from '../databases.js';
import { fay, oli, type Scene, sam } from '../scene.js';
import { suite } from '../suite.js';

const pace = { leaseMs: 60_000, digestMs: 900_000 };

const next = ({ ledger, nowMs }: Scene, channel = 'chat') => nextMessage(ledger, { channel, nowMs, ...pace });
const sent = ({ ledger, nowMs }: Scene, { messageNo }: Message, channel = 'chat') =>
  messageSent(ledger, { channel, nowMs, messageNo });

/** What a channel tells until it has nothing to tell, as `approval spring-1`. */
async function told(scene: Scene, channel = 'chat'): Promise<readonly string[]> {
  const words: string[] = [];
  for (let message = await next(scene, channel); message; message = await next(scene, channel)) {
    words.push(`${message.notices[0]?.kind} ${message.notices[0]?.object} ${message.notices.length}`);
    await sent(scene, message, channel);
  }
  return words;
}

export function outboxCases(databases: Databases): void {
  suite('the outbox of notices', databases, (stage) => {
    test('has what happened since a channel was set up, once on each channel', async () => {
      const { scene } = stage;
      await scene.seal(['before'], { campaign: 'old' });
      expect(await told(scene)).toEqual([]);
      const batchId = await scene.make(['a', 'b']);
      expect(await told(scene)).toEqual([`approval ${batchId} 1`, `approved ${batchId} 1`]);
      expect(await told(scene)).toEqual([]);
      expect(await told(scene, 'mail')).toEqual([]);
      await pauseBatch(scene.ledger, { batchId, actor: oli, nowMs: scene.nowMs });
      expect([await told(scene), await told(scene, 'mail')]).toEqual([
        [`stopped ${batchId} 1`],
        [`stopped ${batchId} 1`],
      ]);
    });

    test('has nothing of what was undone or refused', async () => {
      const { scene } = stage;
      await told(scene);
      const batchId = await scene.seal(['a']);
      await told(scene);
      await expect(approveBatch(scene.ledger, { batchId, actor: sam, nowMs: scene.nowMs })).rejects.toThrow();
      expect(await told(scene)).toEqual([]);
      await rejectBatch(scene.ledger, { batchId, actor: fay, reason: 'no', nowMs: scene.nowMs });
      expect(await told(scene)).toEqual([`rejected ${batchId} 1`]);
    });

    test('tells the first at once and the others of a quarter of an hour together', async () => {
      const { scene } = stage;
      await told(scene);
      const batchId = await scene.make(['a', 'b', 'c']);
      await told(scene);
      const lose = async (rowKey: string) => {
        await scene.order(batchId, rowKey);
        await scene.look(batchId, rowKey, 'completed');
        await recordLost(scene.ledger, { batchId, rowKey, reason: 'gone', nowMs: scene.nowMs });
      };
      await lose('a');
      expect(await told(scene)).toEqual([`lost ${batchId} 1`]);
      await lose('b');
      scene.nowMs += pace.digestMs - 1;
      await lose('c');
      expect(await told(scene)).toEqual([]);
      scene.nowMs += 1;
      expect(await told(scene)).toEqual([`lost ${batchId} 2`]);
    });

    test('gives one message to one worker at a time, and the same one again when that is gone', async () => {
      const { scene } = stage;
      await told(scene);
      await scene.seal(['a']);
      const first = await next(scene);
      expect(first?.notices).toHaveLength(1);
      expect(await next(scene)).toBeNull();
      scene.nowMs += pace.leaseMs;
      await scene.seal(['x'], { campaign: 'winter' });
      expect(await next(scene)).toEqual(first);
    });

    test('waits as long as it is told to, and loses nothing by that', async () => {
      const { scene } = stage;
      await told(scene);
      const batchId = await scene.seal(['a']);
      const first = await next(scene);
      const notBeforeMs = scene.nowMs + 30_000;
      const failed = { channel: 'chat', nowMs: scene.nowMs, notBeforeMs, error: 'it answered 429', offIfSinceMs: null };
      await messageFailed(scene.ledger, failed);
      scene.nowMs = notBeforeMs - 1;
      expect(await next(scene)).toBeNull();
      scene.nowMs += 1;
      expect(await next(scene)).toEqual(first);
      await sent(scene, first as Message);
      expect(await told(scene)).toEqual([]);
      expect((first as Message).notices[0]?.object).toBe(batchId);
    });

    test('has a reminder of an approval a day before it expires, once, whoever looks', async () => {
      const { scene } = stage;
      await told(scene);
      const batchId = await scene.seal(['a']);
      await told(scene);
      const { expiresAtMs } = await scene.batch(batchId);
      const dayMs = 24 * 60 * 60 * 1_000;
      scene.nowMs = (expiresAtMs ?? 0) - dayMs - 1;
      await remindOfApprovals(scene.ledger, scene.nowMs);
      expect(await told(scene)).toEqual([]);
      scene.nowMs += 1;
      await Promise.all([1, 2, 3].map(() => remindOfApprovals(scene.ledger, scene.nowMs)));
      await remindOfApprovals(scene.ledger, scene.nowMs + 1);
      expect(await told(scene)).toEqual([`approval_due ${batchId} 1`]);
      await rejectBatch(scene.ledger, { batchId, actor: fay, reason: 'too late', nowMs: scene.nowMs });
      await told(scene);
      await remindOfApprovals(scene.ledger, scene.nowMs + 2);
      expect(await told(scene)).toEqual([]);
    });

    test('says once that no worker is there, until there was one', async () => {
      const { scene } = stage;
      await told(scene);
      const at = { sinceMs: scene.nowMs, nowMs: scene.nowMs };
      await Promise.all([1, 2, 3].map((late) => noteNoWorker(scene.ledger, { ...at, sinceMs: at.sinceMs + late })));
      expect(await told(scene)).toEqual(['no_worker workers 1']);
      await noteWorkersBack(scene.ledger);
      await noteNoWorker(scene.ledger, at);
      scene.nowMs += pace.digestMs;
      expect(await told(scene)).toEqual(['no_worker workers 1']);
    });

    test('tells nothing by a channel that is off, and what it missed once it is on', async () => {
      const { scene } = stage;
      await told(scene);
      await told(scene, 'mail');
      const batchId = await scene.seal(['a']);
      await next(scene);
      const at = { channel: 'chat', nowMs: scene.nowMs, notBeforeMs: scene.nowMs, error: 'it answered 410' };
      await messageFailed(scene.ledger, { ...at, offIfSinceMs: scene.nowMs - 1 });
      await messageFailed(scene.ledger, { ...at, offIfSinceMs: scene.nowMs });
      await messageFailed(scene.ledger, { ...at, offIfSinceMs: scene.nowMs });
      expect(await next(scene)).toBeNull();
      expect(await told(scene, 'mail')).toEqual([`approval ${batchId} 1`, 'channel_off chat 1']);
      const turnOn = (channel: string, actor = oli) =>
        turnOnChannel(scene.ledger, { channel, actor, nowMs: scene.nowMs });
      await expect(turnOn('chat', sam)).rejects.toThrow('does not have the operator role');
      await expect(turnOn('pigeon')).rejects.toThrow('there is no such channel');
      await turnOn('chat');
      expect(await told(scene)).toEqual([`approval ${batchId} 1`, 'channel_off chat 1']);
    });

    test('forgets after a month what every channel has told, and nothing else', async () => {
      const { scene } = stage;
      await told(scene);
      await told(scene, 'mail');
      await scene.seal(['a']);
      await told(scene);
      scene.nowMs += 31 * 24 * 60 * 60 * 1_000;
      await scene.seal(['b'], { campaign: 'winter' });
      await told(scene);
      const kept = await scene.ledger.db.selectFrom('notices').select('object').execute();
      expect(kept.map(({ object }) => object)).toEqual(['spring-1', 'winter-1']);
      expect(await told(scene, 'mail')).toHaveLength(2);
    });
  });
}
