import { expect, test } from 'vitest';
import { listAudit } from '../../../ledger/access/audit.js';
import { setPolicy } from '../../../ledger/access/policies.js';
import { createBatch } from '../../../ledger/plan/create-batch.js';
import { previewCancel, requestCancel } from '../../../ledger/progress/cancels.js';
import { dueRows } from '../../../ledger/progress/due-rows.js';
import { overdueRows } from '../../../ledger/progress/orphans.js';
import { settleBatch } from '../../../ledger/progress/settle.js';
import type { Databases } from '../databases.js';
import { ada, brief, movieId, oli, pages, plainSettings, type Scene, sam, studio } from '../scene.js';
import { suite } from '../suite.js';

const lost = { kind: 'lost' } as const;
const tooMany = { kind: 'refused', status: 429, code: 'slow', message: 'slow', retryAfterMs: null } as const;

async function cancel(scene: Scene, batchId: string, rowKeys: readonly string[] | 'all' = ['a']): Promise<number> {
  const request = { batchId, rowKeys, actor: oli, reason: 'wrong shoe', nowMs: scene.nowMs };
  return (await requestCancel(scene.ledger, request)).rows;
}

async function money(scene: Scene, batchId: string) {
  const { held, posted, refunded } = (await scene.batch(batchId)).money;
  return { held, posted, refunded };
}

/** What the audit has of cancels, oldest first. */
async function audited(scene: Scene, batchId: string): Promise<readonly unknown[]> {
  const events = await listAudit(scene.ledger, { object: batchId, limit: 20 });
  return events
    .filter(({ act }) => act === 'cancel')
    .map(({ detail }) => detail)
    .toReversed();
}

export function cancelsCases(databases: Databases): void {
  suite('a cancel', databases, (stage) => {
    test('of a planned row: never admitted, nothing spent', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      expect(await cancel(scene, batchId)).toBe(1);
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'canceled', reason: 'wrong shoe', money: null });
      expect(await scene.admit(batchId, 'a')).toEqual({ kind: 'settled' });
      expect(await money(scene, batchId)).toEqual({ held: 0, posted: 0, refunded: 0 });
      expect(await scene.row(batchId, 'b')).toMatchObject({ state: 'planned' });
    });

    test('of a blocked row: the same', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['b', 'a'], { settings: { maxInFlight: 1 } });
      await scene.order(batchId, 'b');
      await scene.admit(batchId, 'a');
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'blocked' });
      expect(await cancel(scene, batchId)).toBe(1);
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'canceled', money: null });
    });

    test.each([
      ['never connected', { kind: 'not_connected' } as const],
      ['told to wait', tooMany],
    ])('of an ordering row that was %s: the hold goes back at once', async (_, answer) => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', answer);
      expect(await cancel(scene, batchId)).toBe(1);
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'canceled', money: 'released' });
      expect(await scene.admit(batchId, 'a')).toEqual({ kind: 'settled' });
    });

    test('of a send under way that is accepted: canceled at the service, paid as policy says', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.admit(batchId, 'a');
      expect(await cancel(scene, batchId)).toBe(1);
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'ordering', money: 'held', cancelRequested: true });
      await scene.answer(batchId, 'a', { kind: 'movie', movieId: movieId(), echo: 'matches' });
      const due = await dueRows(scene.ledger, { batchId, slice: 0, nowMs: scene.nowMs, limit: 10 });
      expect(due).toMatchObject([{ rowKey: 'a', cancelDue: true }]);
      await scene.look(batchId, 'a', 'canceled', { cancelSent: true });
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'canceled', money: 'posted', reason: 'wrong shoe' });
      expect(await money(scene, batchId)).toEqual({ held: 0, posted: 100, refunded: 0 });
    });

    test('of a send under way whose answer is lost: unknown, and no second POST', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.admit(batchId, 'a');
      await cancel(scene, batchId);
      expect(await scene.answer(batchId, 'a', lost)).toEqual({ kind: 'settled' });
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'unknown', money: 'held' });
      expect(await scene.admit(batchId, 'a')).toEqual({ kind: 'settled' });
    });

    test('of a send whose process died: unknown, and no second POST', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.admit(batchId, 'a');
      await cancel(scene, batchId);
      expect(await scene.admit(batchId, 'a')).toEqual({ kind: 'settled' });
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'unknown', money: 'held' });
    });

    test('of a row that waits to repeat a lost send: unknown, and no second POST', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', lost);
      await cancel(scene, batchId);
      scene.nowMs += 60_000;
      expect(await scene.admit(batchId, 'a')).toEqual({ kind: 'settled' });
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'unknown', money: 'held' });
    });

    test('of an unknown row: nothing is sent, the hold stays', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', { kind: 'broken' });
      expect(await cancel(scene, batchId)).toBe(1);
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'unknown', money: 'held', cancelRequested: true });
    });

    test('of a running row: told to the service at the next look, until it takes it', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.order(batchId, 'a');
      expect(await cancel(scene, batchId)).toBe(1);
      const due = () => dueRows(scene.ledger, { batchId, slice: 0, nowMs: scene.nowMs, limit: 10 });
      expect(await due()).toMatchObject([{ rowKey: 'a', cancelDue: true }]);
      const id = (await scene.row(batchId, 'a')).movieId ?? '';
      const unanswered = {
        kind: 'unanswered',
        rowKey: 'a',
        movieId: id,
        alarm: 'away',
        followAtMs: scene.nowMs,
      } as const;
      await scene.look(batchId, 'a', '', unanswered);
      expect(await due()).toMatchObject([{ rowKey: 'a', cancelDue: true }]);
      await scene.look(batchId, 'a', 'rendering', { cancelSent: true, followAtMs: scene.nowMs });
      expect(await due()).toMatchObject([{ rowKey: 'a', cancelDue: false }]);
      await scene.look(batchId, 'a', 'canceled');
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'canceled', money: 'posted' });
    });

    test('of a running row that finished first: delivered', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.order(batchId, 'a');
      await cancel(scene, batchId);
      await scene.look(batchId, 'a', 'completed', { cancelSent: true });
      await scene.archive(batchId, 'a');
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'delivered', money: 'posted' });
    });

    test('of a movie that is being saved: it goes on, it is paid', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.order(batchId, 'a');
      await scene.look(batchId, 'a', 'completed');
      expect(await cancel(scene, batchId)).toBe(0);
      await scene.archive(batchId, 'a');
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'delivered' });
    });

    test('of a row that has ended: nothing', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      await scene.deliver(batchId, 'a');
      const before = await scene.row(batchId, 'a');
      expect(await cancel(scene, batchId)).toBe(0);
      expect(await scene.row(batchId, 'a')).toEqual(before);
    });

    test('what policy takes to be refunded goes back to the budgets', async () => {
      const { scene } = stage;
      const change = { billing: { failed: 'charged', canceled: 'refunded' } } as const;
      await setPolicy(scene.ledger, { change, actor: ada, nowMs: scene.nowMs });
      const batchId = await scene.make(['a']);
      await scene.order(batchId, 'a');
      await cancel(scene, batchId);
      await scene.look(batchId, 'a', 'canceled', { cancelSent: true });
      expect(await money(scene, batchId)).toEqual({ held: 0, posted: 100, refunded: 100 });
    });

    test('of all ends the batch as canceled, with what was paid in it', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b', 'c']);
      await scene.deliver(batchId, 'a');
      await scene.order(batchId, 'b');
      expect(await cancel(scene, batchId, 'all')).toBe(2);
      await scene.look(batchId, 'b', 'canceled', { cancelSent: true });
      expect(await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs })).toEqual({ state: 'canceled' });
      expect((await scene.batch(batchId)).money).toMatchObject({ approved: 300, posted: 200, returned: 100, held: 0 });
    });

    test('asked twice is harmless, and recorded once', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      await scene.order(batchId, 'a');
      expect(await cancel(scene, batchId, 'all')).toBe(2);
      expect(await cancel(scene, batchId, 'all')).toBe(0);
      const events = await listAudit(scene.ledger, { object: batchId, limit: 10 });
      expect(events.filter(({ act }) => act === 'cancel')).toHaveLength(1);
    });

    test('of single rows of a plan that waits is refused: it would be another plan', async () => {
      const { scene } = stage;
      const batchId = await scene.seal(['a', 'b']);
      await expect(cancel(scene, batchId)).rejects.toMatchObject({ code: 'wrong_state' });
      expect(await cancel(scene, batchId, 'all')).toBe(2);
      expect(await scene.batch(batchId)).toMatchObject({ state: 'canceled', money: { approved: 0 } });
    });

    test('of a row that is not there changes nothing', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await expect(cancel(scene, batchId, ['a', 'z'])).rejects.toMatchObject({ code: 'unknown_row' });
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'planned' });
    });

    test('is in the audit with its reason, what it ended and marked, and for which rows it was asked', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b', 'c', 'd']);
      await scene.order(batchId, 'a');
      expect(await cancel(scene, batchId, ['a', 'b'])).toBe(2);
      expect(await cancel(scene, batchId, ['a', 'b'])).toBe(0);
      expect(await cancel(scene, batchId, 'all')).toBe(2);
      const plan = await scene.seal(['e'], { campaign: 'winter' });
      await cancel(scene, plan, 'all');
      expect(await audited(scene, batchId)).toEqual([
        { reason: 'wrong shoe', rows: 2, ended: 1, keys: ['a', 'b'] },
        { reason: 'wrong shoe', rows: 2, ended: 2, keys: 'all' },
      ]);
      expect(await audited(scene, plan)).toEqual([{ reason: 'wrong shoe', rows: 1, keys: 'all' }]);
    });

    test('of all is the batch’s as of the first time, one of some rows is not', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      await scene.order(batchId, 'b');
      await cancel(scene, batchId, ['a']);
      expect(await scene.batch(batchId)).toMatchObject({ state: 'making', canceledAtMs: null });
      const firstMs = scene.nowMs;
      for (let time = 0; time < 2; time += 1) {
        await cancel(scene, batchId, 'all');
        expect(await scene.batch(batchId)).toMatchObject({ state: 'making', canceledAtMs: firstMs });
        scene.nowMs += 1_000;
      }
    });

    test('of a batch that is over changes nothing', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.deliver(batchId, 'a');
      await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs });
      const before = await scene.batch(batchId);
      expect(await cancel(scene, batchId, 'all')).toBe(0);
      expect(await scene.batch(batchId)).toEqual({ ...before, revision: expect.any(Number) });
      expect(await audited(scene, batchId)).toEqual([]);
    });

    test('of a plan ends its rows and its batch, be it priced or not yet', async () => {
      const { scene } = stage;
      const manifest = { name: 'spring.csv', columns: ['id', 'prompt'] };
      const submission = { service: studio, campaign: 'summer', manifest, settings: plainSettings, actor: sam };
      const rows = () => pages([brief('a')]);
      const { batchId: preparing } = await createBatch(scene.ledger, { ...submission, rows, nowMs: scene.nowMs });
      const waiting = await scene.seal(['a']);
      for (const batchId of [preparing, waiting]) {
        const { state } = await scene.batch(batchId);
        await expect(cancel(scene, batchId)).rejects.toMatchObject({
          message:
            `Cannot cancel rows of ${batchId}: it is ${state}, and its plan is approved or rejected as a whole; ` +
            'cancel all of it and submit again',
        });
        expect(await cancel(scene, batchId, 'all')).toBe(1);
        const ended = { state: 'canceled', reason: 'wrong shoe', cancelRequested: true, endedAtMs: scene.nowMs };
        expect(await scene.row(batchId, 'a')).toMatchObject(ended);
        expect(await scene.batch(batchId)).toMatchObject({ state: 'canceled', canceledAtMs: scene.nowMs });
      }
    });

    test('of a row that certainly never arrived says why, and one of an overdue row is its reconciler’s to tell', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b', 'c'], { settings: { deadlineSeconds: 600 } });
      await scene.order(batchId, 'b');
      scene.nowMs += 600_000;
      await scene.look(batchId, 'b', 'rendering');
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', { kind: 'not_connected' });
      await scene.admit(batchId, 'c');
      expect(await cancel(scene, batchId, 'all')).toBe(3);
      const marked = { cancelRequested: true, reason: 'wrong shoe', nextLookAtMs: null };
      expect(await scene.row(batchId, 'a')).toMatchObject({ ...marked, state: 'canceled', endedAtMs: scene.nowMs });
      expect(await scene.row(batchId, 'b')).toMatchObject({ ...marked, state: 'overdue' });
      expect(await scene.row(batchId, 'c')).toMatchObject({ ...marked, state: 'ordering' });
      expect(await overdueRows(scene.ledger, { service: studio, limit: 10 })).toMatchObject([
        { batchId, rowKey: 'b', cancelDue: true },
      ]);
    });

    test('is previewed as free where policy takes a canceled movie to be refunded', async () => {
      const { scene } = stage;
      const change = { billing: { failed: 'charged', canceled: 'refunded' } } as const;
      await setPolicy(scene.ledger, { change, actor: ada, nowMs: scene.nowMs });
      const batchId = await scene.make(['a']);
      await scene.order(batchId, 'a');
      const preview = await previewCancel(scene.ledger, { batchId, rowKeys: 'all' });
      expect(preview).toMatchObject({ may_be_charged: { rows: 1 }, charged: false });
    });

    test('is previewed for rows that the batch has', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await expect(previewCancel(scene.ledger, { batchId, rowKeys: ['a', 'z'] })).rejects.toMatchObject({
        code: 'unknown_row',
      });
    });

    test('is previewed without changing anything', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
      await scene.deliver(batchId, 'a');
      await scene.order(batchId, 'b');
      await scene.order(batchId, 'c');
      await scene.look(batchId, 'c', 'completed');
      await scene.admit(batchId, 'd');
      await scene.answer(batchId, 'd', { kind: 'broken' });
      await scene.admit(batchId, 'e');
      await scene.admit(batchId, 'f');
      await scene.answer(batchId, 'f', { kind: 'not_connected' });
      const before = await scene.batch(batchId);
      expect(await previewCancel(scene.ledger, { batchId, rowKeys: 'all' })).toEqual({
        not_spent: { rows: 2, amountMinor: 200 },
        may_still_leave: { rows: 1, amountMinor: 100 },
        may_be_charged: { rows: 1, amountMinor: 100 },
        paid_and_kept: { rows: 1, amountMinor: 100 },
        unknown: { rows: 1, amountMinor: 100 },
        ended: { rows: 1, amountMinor: 100 },
        ...{ currency: 'USD', charged: true },
      });
      expect(await scene.batch(batchId)).toEqual(before);
      const some = await previewCancel(scene.ledger, { batchId, rowKeys: ['g', 'b'] });
      expect(some).toMatchObject({ not_spent: { rows: 1 }, may_be_charged: { rows: 1 }, ended: { rows: 0 } });
    });

    test('is previewed as charging for movies in progress only, and as sending nothing that was lost before', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      const unsent = await previewCancel(scene.ledger, { batchId, rowKeys: 'all' });
      expect(unsent).toMatchObject({ not_spent: { rows: 2 }, may_be_charged: { rows: 0 }, charged: false });
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', { kind: 'lost' });
      const lost = await previewCancel(scene.ledger, { batchId, rowKeys: 'all' });
      expect(lost).toMatchObject({ may_still_leave: { rows: 0 }, unknown: { rows: 1 }, charged: false });
      scene.nowMs += 60_000;
      await scene.admit(batchId, 'a');
      const again = await previewCancel(scene.ledger, { batchId, rowKeys: 'all' });
      expect(again).toMatchObject({ may_still_leave: { rows: 1 }, unknown: { rows: 0 } });
    });
  });
}
