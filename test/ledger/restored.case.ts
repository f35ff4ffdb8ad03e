import { expect, test } from 'vitest';
import { checkArchiveMark, ledgerMark, reconcileRestored } from '../../ledger/restored.js';
import type { Databases } from './databases.js';
import { fay, type Scene } from './scene.js';
import { suite } from './suite.js';

export function restoredCases(databases: Databases): void {
  suite('a restored ledger', databases, (stage) => {
    const order = async (scene: Scene) => {
      const batchId = await scene.make(['a']);
      return { batchId, admission: await scene.admit(batchId, 'a') };
    };

    test('the archive of this ledger, or of an earlier moment, is fine', async () => {
      const { scene } = stage;
      const mark = await ledgerMark(scene.ledger);
      await order(scene);
      expect((await ledgerMark(scene.ledger)).sequence).toBeGreaterThan(mark.sequence);
      expect(await checkArchiveMark(scene.ledger, { mark, nowMs: scene.nowMs })).toBeNull();
    });

    test('an archive that is ahead stops all orders until a person has looked', async () => {
      const { scene } = stage;
      const mark = await ledgerMark(scene.ledger);
      const ahead = { ...mark, sequence: mark.sequence + 7 };
      expect(await checkArchiveMark(scene.ledger, { mark: ahead, nowMs: scene.nowMs })).toContain(
        'ahead of this ledger by 7',
      );
      const { batchId, admission } = await order(scene);
      expect(admission).toEqual({ kind: 'blocked', reason: 'restored' });
      expect((await scene.batch(batchId)).stops).toMatchObject([
        { kind: 'restored', command: 'greenlight reconcile restored' },
      ]);
      await reconcileRestored(scene.ledger, { actor: fay, reason: 'compared', nowMs: scene.nowMs });
      expect(await scene.admit(batchId, 'a')).toMatchObject({ kind: 'send' });
    });

    test("another ledger's archive does, too, and no repeat leaves either", async () => {
      const { scene } = stage;
      const { batchId } = await order(scene);
      await scene.answer(batchId, 'a', { kind: 'lost' });
      const mark = { ledgerId: 'another', sequence: 0 };
      expect(await checkArchiveMark(scene.ledger, { mark, nowMs: scene.nowMs })).toContain('another ledger');
      scene.nowMs += 60_000;
      expect(await scene.admit(batchId, 'a')).toEqual({ kind: 'blocked', reason: 'restored' });
    });
  });
}
