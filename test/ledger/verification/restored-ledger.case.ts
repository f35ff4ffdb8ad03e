import { expect, test } from 'vitest';
import type { ArchiveMark } from '../../../domain/ledger-mark.js';
import { setPolicy } from '../../../ledger/access/policies.js';
import { sliceBatch } from '../../../ledger/batches/slices.js';
import { admissionOpen } from '../../../ledger/orders/free-places.js';
import { orderHistory } from '../../../ledger/orders/order-history.js';
import { approveBatch } from '../../../ledger/plan/decisions.js';
import { sealBatch } from '../../../ledger/plan/seal.js';
import { previewCancel } from '../../../ledger/progress/cancels.js';
import { checkBooks } from '../../../ledger/verification/check-books.js';
import {
  checkArchiveMarks,
  haltedBecause,
  ledgerMark,
  moviesNotInBooks,
  reconcileRestored,
} from '../../../ledger/verification/restored-ledger.js';
import type { Databases } from '../databases.js';
import { ada, brief, fay, type Scene, studio } from '../scene.js';
import { suite } from '../suite.js';

export function restoredCases(databases: Databases): void {
  suite('a restored ledger', databases, (stage) => {
    const order = async (scene: Scene) => {
      const batchId = await scene.make(['a']);
      return { batchId, admission: await scene.admit(batchId, 'a') };
    };
    const check = (scene: Scene, mark: Omit<ArchiveMark, 'service'>, service = studio) =>
      checkArchiveMarks(scene.ledger, { marks: [{ ...mark, service }], service, nowMs: scene.nowMs });

    test('the archive of this ledger, or of an earlier moment, is fine', async () => {
      const { scene } = stage;
      const mark = await ledgerMark(scene.ledger);
      await order(scene);
      expect((await ledgerMark(scene.ledger)).sequence).toBeGreaterThan(mark.sequence);
      expect(await check(scene, mark)).toBeNull();
      expect(await haltedBecause(scene.ledger)).toBeNull();
    });

    test('an archive that is ahead stops all orders until a person has looked', async () => {
      const { scene } = stage;
      const mark = await ledgerMark(scene.ledger);
      const ahead = { ...mark, sequence: mark.sequence + 7 };
      expect(await check(scene, ahead)).toContain('ahead of this ledger by 7');
      expect(await haltedBecause(scene.ledger)).toContain('ahead of this ledger by 7');
      const { batchId, admission } = await order(scene);
      expect(admission).toEqual({ kind: 'blocked', reason: 'restored' });
      expect((await scene.batch(batchId)).stops).toMatchObject([
        { kind: 'restored', command: 'greenlight reconcile restored' },
      ]);
      await reconcileRestored(scene.ledger, { actor: fay, reason: 'compared', nowMs: scene.nowMs });
      expect(await scene.admit(batchId, 'a')).toMatchObject({ kind: 'send' });
    });

    test("another ledger's archive of real movies does, too, and no repeat leaves either", async () => {
      const { scene } = stage;
      const { batchId } = await order(scene);
      await scene.answer(batchId, 'a', { kind: 'lost' });
      const mark = { ledgerId: 'another', sequence: 0 };
      expect(await check(scene, mark)).toBeNull();
      expect(await check(scene, mark, { ...studio, rehearsal: false })).toContain('another ledger');
      scene.nowMs += 60_000;
      expect(await scene.admit(batchId, 'a')).toEqual({ kind: 'blocked', reason: 'restored' });
    });

    for (const { mode, next } of [
      { mode: 'none', next: { kind: 'settled' } },
      { mode: 'replay', next: { kind: 'send' } },
    ] as const) {
      test(`an order whose sends had all failed when it was copied may have arrived since: ${mode}`, async () => {
        const { scene } = stage;
        const change = { idempotency: { mode, windowHours: 24 } };
        await setPolicy(scene.ledger, { change, actor: ada, nowMs: scene.nowMs });
        const { batchId } = await order(scene);
        await scene.answer(batchId, 'a', { kind: 'not_connected' });
        const mark = await ledgerMark(scene.ledger);
        await check(scene, { ...mark, sequence: mark.sequence + 1 });
        await reconcileRestored(scene.ledger, { actor: fay, reason: 'compared', nowMs: scene.nowMs });
        scene.nowMs += 60_000;
        expect(await scene.admit(batchId, 'a')).toMatchObject(next);
        expect(await scene.row(batchId, 'a')).toMatchObject(
          mode === 'none' ? { state: 'unknown' } : { state: 'ordering' },
        );
      });
    }

    for (const { mode, next } of [
      { mode: 'none', next: { kind: 'settled' } },
      { mode: 'replay', next: { kind: 'send' } },
    ] as const) {
      test(`an order that was refused when it was copied and has only been sent again since: ${mode}`, async () => {
        const { scene } = stage;
        const change = { idempotency: { mode, windowHours: 24 } };
        await setPolicy(scene.ledger, { change, actor: ada, nowMs: scene.nowMs });
        const { batchId } = await order(scene);
        await scene.answer(batchId, 'a', {
          kind: 'refused',
          status: 429,
          code: null,
          message: 'wait',
          retryAfterMs: 1_000,
        });
        const copied = await ledgerMark(scene.ledger);
        scene.nowMs += 60_000;
        expect(await scene.admit(batchId, 'a')).toMatchObject({ kind: 'send' });
        const lost = await ledgerMark(scene.ledger);
        expect(lost).toMatchObject({ sequence: copied.sequence, sends: (copied.sends ?? 0) + 1 });
        // As the copy has it: the send has not left, and the mark that was written before it left is ahead.
        await scene.ledger.db.deleteFrom('sends').where('answered_ms', 'is', null).execute();
        await scene.ledger.db.updateTable('rows').set({ uncertain_sends: 0 }).where('row_key', '=', 'a').execute();
        expect(await check(scene, lost)).toContain('ahead of this ledger by 1 send:');
        await reconcileRestored(scene.ledger, { actor: fay, reason: 'compared', nowMs: scene.nowMs });
        scene.nowMs += 60_000;
        expect(await scene.admit(batchId, 'a')).toMatchObject(next);
      });
    }

    for (const { mode, hours, next } of [
      { mode: 'none', hours: 1, next: { kind: 'settled' } },
      { mode: 'replay', hours: 1, next: { kind: 'send', attempt: 1 } },
      { mode: 'replay', hours: 25, next: { kind: 'settled' } },
    ] as const) {
      test(`a row that waited when it was copied may have been ordered since: ${mode}, ${hours} h later`, async () => {
        const { scene } = stage;
        const change = { idempotency: { mode, windowHours: 24 } };
        await setPolicy(scene.ledger, { change, actor: ada, nowMs: scene.nowMs });
        const batchId = await scene.make(['a', 'b']);
        await scene.admit(batchId, 'b');
        const mark = await ledgerMark(scene.ledger);
        scene.nowMs += hours * 3_600_000;
        await check(scene, { ...mark, sequence: mark.sequence + 1 });
        await reconcileRestored(scene.ledger, { actor: fay, reason: 'compared', nowMs: scene.nowMs });
        expect(await scene.admit(batchId, 'a')).toEqual({ kind: 'wait', delayMs: 1_000 });
        // A send that may have left is in the books with its answer lost: none is under way that a cancel could still meet.
        const [sent] = await orderHistory(scene.ledger.db, { batchId, rowKey: 'a' });
        expect(sent).toMatchObject({ attempt: 1, sends: [{ answeredMs: scene.nowMs, answer: { kind: 'lost' } }] });
        expect(await previewCancel(scene.ledger, { batchId, rowKeys: ['a'] })).toMatchObject({
          ...{ unknown: { rows: 1, amountMinor: 100 }, may_still_leave: { rows: 0 } },
        });
        scene.nowMs += 1_000;
        expect(await scene.admit(batchId, 'a')).toMatchObject(next);
        const { state } = await scene.row(batchId, 'a');
        expect(state).toBe(next.kind === 'send' ? 'ordering' : 'unknown');
        expect((await scene.batch(batchId)).money.held).toBe(200);
        expect(await checkBooks(scene.ledger.db, null)).toEqual([]);
      });
    }

    test('a plan that waited for its approval may have been ordered since, one that was made after it was not', async () => {
      const { scene } = stage;
      const change = { idempotency: { mode: 'none', windowHours: 24 } } as const;
      await setPolicy(scene.ledger, { change, actor: ada, nowMs: scene.nowMs });
      const waiting = await scene.seal(['a']);
      const mark = await ledgerMark(scene.ledger);
      await check(scene, { ...mark, sequence: mark.sequence + 1 });
      await reconcileRestored(scene.ledger, { actor: fay, reason: 'compared', nowMs: scene.nowMs });
      await approveBatch(scene.ledger, { batchId: waiting, actor: fay, nowMs: scene.nowMs });
      await sliceBatch(scene.ledger, { batchId: waiting, sliceRows: 100 });
      expect(await scene.admit(waiting, 'a')).toEqual({ kind: 'wait', delayMs: 1_000 });
      scene.nowMs += 1_000;
      expect(await scene.admit(waiting, 'a')).toEqual({ kind: 'settled' });
      expect(await scene.row(waiting, 'a')).toMatchObject({ state: 'unknown' });
      const later = await scene.make(['b', 'c']);
      expect(await scene.admit(later, 'b')).toMatchObject({ kind: 'send' });
    });

    test('a row that a waiting plan left out may have been in it when it was made again, and ordered', async () => {
      const { scene } = stage;
      const change = { idempotency: { mode: 'none', windowHours: 24 } } as const;
      await setPolicy(scene.ledger, { change, actor: ada, nowMs: scene.nowMs });
      const first = await scene.make(['a']);
      await scene.order(first, 'a');
      const other = brief('a', { prompt: 'A swimmer at dusk' });
      const waiting = await scene.seal([other, 'b'], { settings: { respend: true } });
      expect(await scene.row(waiting, 'a')).toMatchObject({ class: 'open_changed', state: 'left_out' });
      const mark = await ledgerMark(scene.ledger);
      await check(scene, { ...mark, sequence: mark.sequence + 1 });
      await reconcileRestored(scene.ledger, { actor: fay, reason: 'compared', nowMs: scene.nowMs });
      await scene.look(first, 'a', 'completed');
      await scene.archive(first, 'a');
      const approve = () => approveBatch(scene.ledger, { batchId: waiting, actor: fay, nowMs: scene.nowMs });
      await expect(approve()).rejects.toMatchObject({ code: 'stale_plan' });
      await scene.price(waiting);
      await sealBatch(scene.ledger, { batchId: waiting });
      await approve();
      await sliceBatch(scene.ledger, { batchId: waiting, sliceRows: 100 });
      expect(await scene.row(waiting, 'a')).toMatchObject({ class: 'respend', state: 'planned' });
      expect(await scene.admit(waiting, 'a')).toEqual({ kind: 'wait', delayMs: 1_000 });
      scene.nowMs += 1_000;
      expect(await scene.admit(waiting, 'a')).toEqual({ kind: 'settled' });
      expect(await scene.row(waiting, 'a')).toMatchObject({ state: 'unknown' });
    });

    test('a row that waits beside the archive of another ledger, which had it not, is sent as a first order', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await check(scene, { ledgerId: 'another', sequence: 99 }, { ...studio, rehearsal: false });
      await reconcileRestored(scene.ledger, { actor: fay, reason: 'compared', nowMs: scene.nowMs });
      expect(await scene.admit(batchId, 'a')).toMatchObject({ kind: 'send' });
    });

    test('while such a row waits to be asked for again, no row behind its canary is told to ask', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b'], { settings: { canary: 1 } });
      const mark = await ledgerMark(scene.ledger);
      scene.nowMs += 25 * 3_600_000;
      await check(scene, { ...mark, sequence: mark.sequence + 1 });
      await reconcileRestored(scene.ledger, { actor: fay, reason: 'compared', nowMs: scene.nowMs });
      expect(await scene.admit(batchId, 'a')).toMatchObject({ kind: 'wait' });
      expect(await scene.admit(batchId, 'b')).toEqual({ kind: 'blocked', reason: 'canary' });
      expect(await admissionOpen(scene.ledger, { batchId })).toMatchObject({ room: 0, stopped: true });
    });

    test('names the movies that no order of it names', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      const known = await scene.deliver(batchId, 'a');
      expect(await moviesNotInBooks(scene.ledger, [known, 'movie_x', 'movie_y'])).toEqual(
        new Set(['movie_x', 'movie_y']),
      );
      expect(await moviesNotInBooks(scene.ledger, [])).toEqual(new Set());
    });
  });
}
