import { expect, test } from 'vitest';
import type { Service } from '../../../domain/service.js';
import { listAudit } from '../../../ledger/access/audit.js';
import { setPolicy } from '../../../ledger/access/policies.js';
import { alarmGroups } from '../../../ledger/batches/alarms.js';
import { startBudget, stopBudget } from '../../../ledger/money/budgets.js';
import { listEntries } from '../../../ledger/money/entries.js';
import { admitRow } from '../../../ledger/orders/admission.js';
import { admissionOpen } from '../../../ledger/orders/free-places.js';
import { createBatch } from '../../../ledger/plan/create-batch.js';
import { rememberUpload } from '../../../ledger/plan/uploads.js';
import { limitBatch } from '../../../ledger/progress/limits.js';
import { settleBatch } from '../../../ledger/progress/settle.js';
import { pauseBatch, resumeBatch } from '../../../ledger/stops/stops.js';
import type { Databases } from '../databases.js';
import { ada, brief, fay, oli, pages, plainSettings, type Scene, sam, studio } from '../scene.js';
import { suite } from '../suite.js';

const refused = (status: number, retryAfterMs: number | null = null) =>
  ({ kind: 'refused', status, code: 'word', message: 'words', retryAfterMs }) as const;

async function setMaxInFlight(scene: Scene, maxInFlight: number): Promise<void> {
  await setPolicy(scene.ledger, { change: { maxInFlight }, actor: ada, nowMs: scene.nowMs });
}

export function admissionCases(databases: Databases): void {
  suite('admission', databases, (stage) => {
    test('takes the hold, the place in flight and the key in one step, and says exactly what to send', async () => {
      const { scene } = stage;
      const batchId = await scene.make([brief('a', { style: 'warm', aspectRatio: null })]);
      const admission = await scene.admit(batchId, 'a');
      expect(admission).toMatchObject({ kind: 'send', attempt: 1, runtimeSeconds: 30 });
      if (admission.kind !== 'send') return;
      expect(JSON.parse(admission.requestBody)).toEqual({
        ...{ prompt: 'A runner at dawn, take a', duration_seconds: 5, style: 'warm' },
      });
      expect(admission.idempotencyKey).toMatch(/^gl_[A-Za-z0-9_-]{43}$/);
      expect(await scene.row(batchId, 'a')).toMatchObject({
        ...{ state: 'ordering', attempt: 1, money: 'held', idempotencyKey: admission.idempotencyKey },
      });
      expect((await scene.batch(batchId)).money).toMatchObject({ approved: 100, held: 100, posted: 0 });
      const kinds = (await listEntries(scene.ledger, { batchId, limit: 10 })).map(({ kind }) => kind);
      expect(kinds).toEqual(['commit', 'hold']);
    });

    test('asked for the last row of a plan many times at once, it is admitted once and nobody is told of broken books', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      const admissions = await Promise.all(Array.from({ length: 12 }, () => scene.admit(batchId, 'a')));
      // The others are later sends of the same attempt: one key, one hold.
      const sends = admissions.filter((one) => one.kind === 'send');
      expect(sends.length).toBeGreaterThanOrEqual(1);
      expect(new Set(sends.map(({ idempotencyKey, attempt }) => `${idempotencyKey} ${attempt}`)).size).toBe(1);
      expect((await scene.batch(batchId)).money).toMatchObject({ approved: 100, held: 100, posted: 0 });
    });

    test('sends the service its own ids of what was uploaded', async () => {
      const { scene } = stage;
      const sha256 = 'ab'.repeat(32);
      const source = { kind: 'file', path: 'logo.png', sha256, sizeBytes: 3 } as const;
      await rememberUpload(scene.ledger, { service: studio, sha256, referenceId: 'ref_9', nowMs: scene.nowMs });
      const batchId = await scene.make([brief('a', { references: [{ source, role: 'product', description: null }] })]);
      const admission = await admitRow(scene.ledger, {
        ...{ batchId, rowKey: 'a', service: studio, webhookUrl: 'https://me.example/hook' },
      });
      if (admission.kind !== 'send') throw new Error(admission.kind);
      expect(JSON.parse(admission.requestBody)).toMatchObject({
        references: [{ reference_id: 'ref_9', role: 'product' }],
        webhook_url: 'https://me.example/hook',
      });
    });

    test('a repeat is the first request byte for byte, wherever events are received by then', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      const order = { batchId, rowKey: 'a', service: studio, nowMs: scene.nowMs };
      const first = await admitRow(scene.ledger, { ...order, webhookUrl: 'http://127.0.0.1:4001/webhooks' });
      const bodies = [first];
      for (const webhookUrl of ['http://127.0.0.1:4002/webhooks', null]) {
        bodies.push(await admitRow(scene.ledger, { ...order, webhookUrl }));
      }
      const sent = bodies.map((one) => (one.kind === 'send' ? [one.idempotencyKey, one.requestBody] : one.kind));
      expect(sent[0]?.[1]).toContain('"webhook_url":"http://127.0.0.1:4001/webhooks"');
      expect(sent).toEqual([sent[0], sent[0], sent[0]]);
    });

    test('there is no way around the approval', async () => {
      const { scene } = stage;
      const waiting = await scene.seal(['a']);
      await expect(scene.admit(waiting, 'a')).rejects.toMatchObject({ code: 'wrong_state' });
      expect(await scene.row(waiting, 'a')).toMatchObject({ state: 'planned', attempt: null });
    });

    test('a row of a plan that is still being priced is refused as such, not as broken books', async () => {
      const { scene } = stage;
      const { batchId } = await createBatch(scene.ledger, {
        ...{ service: studio, campaign: 'spring', actor: sam, nowMs: scene.nowMs, settings: plainSettings },
        manifest: { name: 'spring.csv', columns: ['id', 'prompt'] },
        rows: () => pages([brief('a')]),
      });
      await expect(scene.admit(batchId, 'a')).rejects.toMatchObject({
        code: 'wrong_state',
        message: expect.stringContaining('it is preparing, not in progress'),
      });
    });

    test('a row that is not in the plan is not ordered', async () => {
      const { scene } = stage;
      const first = await scene.make(['a']);
      await scene.deliver(first, 'a');
      const second = await scene.make(['a', 'b']);
      expect(await scene.admit(second, 'a')).toEqual({ kind: 'settled' });
      await expect(scene.admit(second, 'z')).rejects.toMatchObject({ code: 'unknown_row' });
    });

    test('a row whose content or price was changed behind the books is not ordered', async () => {
      stage.leavesFaults('brief_changed', 'plan_digest');
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      const other = JSON.stringify(brief('a', { prompt: 'Something that nobody approved' }));
      await scene.ledger.db.updateTable('rows').set({ brief: other }).where('row_key', '=', 'a').execute();
      await expect(scene.admit(batchId, 'a')).rejects.toMatchObject({ code: 'corrupt_books' });
      await scene.ledger.db.updateTable('rows').set({ amount_minor: 500 }).where('row_key', '=', 'b').execute();
      await pauseBatch(scene.ledger, { batchId, actor: oli, nowMs: scene.nowMs });
      expect(await scene.admit(batchId, 'b')).toEqual({ kind: 'blocked', reason: 'paused' });
      await resumeBatch(scene.ledger, { batchId, actor: oli, nowMs: scene.nowMs });
      scene.nowMs += 1_000;
      await expect(scene.admit(batchId, 'b')).rejects.toMatchObject({ code: 'corrupt_books' });
      expect((await scene.batch(batchId)).money).toMatchObject({ held: 0 });
      const [one, two] = [await scene.row(batchId, 'a'), await scene.row(batchId, 'b')];
      for (const row of [one, two]) expect(row).toMatchObject({ state: 'planned', blocked: null, attempt: null });
      const despair = 'nothing was sent; cancel it, and submit again';
      expect(one.alarm).toBe(`Cannot order ${batchId} a: its brief is not the one that was approved; ${despair}`);
      expect(two.alarm).toBe(`Cannot order from ${batchId}: its approved amount is used up; ${despair}`);
      const since = (await alarmGroups(scene.ledger.db, batchId)).map(({ sinceMs }) => (sinceMs ?? 0) - scene.nowMs);
      expect(since.toSorted()).toEqual([-1_000, 0]);
    });

    test.each([
      ['is not in the plan', { ordered: 0 }, 'it is not in the plan'],
      ['has lost its price', { amount_minor: null }, 'it has no price'],
    ] as const)('a row that %s any more is not ordered, and keeps nobody back', async (_, change, why) => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      const rows = () => scene.ledger.db.updateTable('rows').where('batch_id', '=', batchId).where('row_key', '=', 'a');
      await rows().set(change).execute();
      const [one, other] = await Promise.allSettled(['a', 'b'].map((rowKey) => scene.admit(batchId, rowKey)));
      expect(one).toMatchObject({
        ...{ status: 'rejected', reason: { code: 'corrupt_books', message: expect.stringContaining(why) } },
      });
      expect(other).toMatchObject({ status: 'fulfilled', value: { kind: 'send' } });
      expect((await scene.batch(batchId)).money).toMatchObject({ held: 100 });
      expect(await scene.row(batchId, 'a')).toMatchObject({ attempt: null, alarm: expect.stringContaining(why) });
      await rows().set({ ordered: 1, amount_minor: 100 }).execute();
    });

    test('a row outside says what is in its way now, and since when', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b'], { settings: { maxInFlight: 1 } });
      const outside = async () => {
        const admission = await scene.admit(batchId, 'b');
        const { state, blocked } = await scene.row(batchId, 'b');
        return [admission.kind, state, blocked];
      };
      const sinceMs = scene.nowMs;
      await scene.order(batchId, 'a');
      expect(await outside()).toEqual(['blocked', 'blocked', { reason: 'in_flight', sinceMs }]);
      scene.nowMs += 1_000;
      expect(await outside()).toEqual(['blocked', 'blocked', { reason: 'in_flight', sinceMs }]);
      await pauseBatch(scene.ledger, { batchId, actor: oli, nowMs: scene.nowMs });
      expect(await outside()).toEqual(['blocked', 'blocked', { reason: 'paused', sinceMs: scene.nowMs }]);
      await resumeBatch(scene.ledger, { batchId, actor: oli, nowMs: scene.nowMs });
      await scene.look(batchId, 'a', 'failed');
      expect(await outside()).toEqual(['send', 'ordering', null]);
    });

    test('a batch that is in the making without an approval of its plan orders nothing', async () => {
      stage.leavesFaults('plan_changed', 'plan_digest');
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.ledger.db
        .updateTable('batches')
        .set({ plan_digest: 'ab'.repeat(32) })
        .execute();
      await expect(scene.admit(batchId, 'a')).rejects.toMatchObject({ code: 'corrupt_books' });
      expect((await scene.batch(batchId)).money).toMatchObject({ held: 0 });
    });

    test('a worker orders only from its own service', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      const real: Service = { name: 'movies', baseUrl: 'https://movies.example/v1', rehearsal: false };
      const order = { batchId, rowKey: 'a', service: real, nowMs: scene.nowMs };
      await expect(admitRow(scene.ledger, order)).rejects.toMatchObject({
        ...{
          code: 'wrong_state',
          message: expect.stringContaining('it is for studio (embedded), this worker serves movies'),
        },
      });
      // Only what contradicts the books is the row's own fault.
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'planned', alarm: null });
      for (const other of [{ baseUrl: 'https://studio.example' }, { name: 'studio-2' }]) {
        const service = { ...studio, ...other };
        await expect(admitRow(scene.ledger, { ...order, service })).rejects.toMatchObject({ code: 'wrong_state' });
      }
    });

    test('our own review: content A, then B, then A again are three attempts with three keys', async () => {
      const { scene } = stage;
      const keys: string[] = [];
      const other = brief('a', { prompt: 'A swimmer at dusk' });
      for (const [content, respend] of [
        [brief('a'), false],
        [other, true],
        [brief('a'), true],
      ] as const) {
        const settings = { respend, include: ['failed'] as const };
        const batchId = await scene.make([content], { settings });
        const admission = await scene.admit(batchId, 'a');
        if (admission.kind !== 'send') throw new Error(admission.kind);
        keys.push(admission.idempotencyKey);
        expect(admission.attempt).toBe(keys.length);
        await scene.answer(batchId, 'a', {
          kind: 'movie',
          movieId: `movie_aba${keys.length}${scene.nowMs}`,
          echo: 'matches',
        });
        await scene.look(batchId, 'a', 'failed');
      }
      expect(new Set(keys).size).toBe(3);
    });

    test('the in-flight limit of the service holds over batches, and room comes back', async () => {
      const { scene } = stage;
      const one = await scene.make(['a', 'b']);
      const other = await scene.make(['c', 'd'], { campaign: 'winter' });
      await setMaxInFlight(scene, 2);
      await scene.order(one, 'a');
      await scene.order(other, 'c');
      expect(await scene.admit(one, 'b')).toEqual({ kind: 'blocked', reason: 'in_flight' });
      expect(await scene.row(one, 'b')).toMatchObject({
        ...{ state: 'blocked', blocked: { reason: 'in_flight', sinceMs: scene.nowMs } },
      });
      expect(await admissionOpen(scene.ledger, { batchId: one })).toMatchObject({
        ...{ room: 0, stopped: false },
      });
      await scene.look(other, 'c', 'completed');
      expect(await admissionOpen(scene.ledger, { batchId: one })).toMatchObject({ room: 1 });
      expect(await scene.admit(one, 'b')).toMatchObject({ kind: 'send' });
      expect(await scene.admit(other, 'd')).toEqual({ kind: 'blocked', reason: 'in_flight' });
      expect((await scene.row(one, 'b')).blocked).toBeNull();
    });

    test('the in-flight limit of a batch is its own', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b'], { settings: { maxInFlight: 1 } });
      await scene.order(batchId, 'a');
      expect(await scene.admit(batchId, 'b')).toEqual({ kind: 'blocked', reason: 'in_flight' });
      await scene.look(batchId, 'a', 'failed');
      expect(await scene.admit(batchId, 'b')).toMatchObject({ kind: 'send' });
    });

    test('the limit of a batch may change while it runs; lowered, it cancels nothing', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b', 'c'], { settings: { maxInFlight: 1 } });
      const to = (maxInFlight: number | null, reason?: string) =>
        limitBatch(scene.ledger, { batchId, maxInFlight, actor: oli, nowMs: scene.nowMs, ...(reason && { reason }) });
      await scene.order(batchId, 'a');
      expect(await to(2, 'the service has room')).toBe(1);
      await scene.order(batchId, 'b');
      expect(await to(1)).toBe(2);
      expect(await scene.admit(batchId, 'c')).toEqual({ kind: 'blocked', reason: 'in_flight' });
      await scene.look(batchId, 'a', 'failed');
      expect(await scene.admit(batchId, 'c')).toEqual({ kind: 'blocked', reason: 'in_flight' });
      expect(await to(null)).toBe(1);
      expect(await scene.admit(batchId, 'c')).toMatchObject({ kind: 'send' });
      await to(null);
      const acts = (await listAudit(scene.ledger, { limit: 50 })).filter(({ act }) => act === 'limits');
      expect(acts.map(({ actor, detail }) => [actor.name, detail.before, detail.max_in_flight, detail.reason])).toEqual(
        [
          ['oli', 1, null, null],
          ['oli', 2, 1, null],
          ['oli', 1, 2, 'the service has room'],
        ],
      );
      await expect(to(0)).rejects.toMatchObject({ code: 'bad_argument' });
    });

    test('a batch that has ended has no limit to change', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.deliver(batchId, 'a');
      await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs });
      const change = limitBatch(scene.ledger, { batchId, maxInFlight: 2, actor: oli, nowMs: scene.nowMs });
      await expect(change).rejects.toMatchObject({ code: 'wrong_state' });
    });

    test('a stopped budget at any level stops its orders, and only its', async () => {
      const { scene } = stage;
      await scene.fund('other', 10_000);
      const under = await scene.make(['a', 'b']);
      const beside = await scene.make(['c'], { campaign: 'winter', settings: { budgetPath: 'other' } });
      await stopBudget(scene.ledger, { path: 'acme', actor: fay, nowMs: scene.nowMs });
      expect(await scene.admit(under, 'a')).toEqual({ kind: 'blocked', reason: 'budget' });
      expect((await scene.batch(under)).stops).toMatchObject([
        { kind: 'budget', endsBy: 'finance', command: 'greenlight budget start acme' },
      ]);
      expect(await admissionOpen(scene.ledger, { batchId: under })).toMatchObject({
        stopped: true,
      });
      expect(await scene.admit(beside, 'c')).toMatchObject({ kind: 'send' });
      await startBudget(scene.ledger, { path: 'acme', actor: fay, nowMs: scene.nowMs });
      expect(await scene.admit(under, 'a')).toMatchObject({ kind: 'send' });
    });

    test('several video tools: a row that was refused for its key waits for Retry-After, and so does every other order of the service', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      await scene.admit(batchId, 'a');
      expect(await scene.answer(batchId, 'a', refused(429, 7_000))).toMatchObject({ kind: 'wait', delayMs: 7_000 });
      scene.nowMs += 3_000;
      expect(await scene.admit(batchId, 'a')).toEqual({ kind: 'wait', delayMs: 4_000 });
      expect(await scene.admit(batchId, 'b')).toEqual({ kind: 'wait', delayMs: 4_000 });
      scene.nowMs += 4_000;
      expect(await scene.admit(batchId, 'a')).toMatchObject({ kind: 'send', attempt: 1 });
      expect(await scene.admit(batchId, 'b')).toMatchObject({ kind: 'send', attempt: 1 });
    });

    test('asked again, an admitted row answers with where it stands', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.order(batchId, 'a');
      expect(await scene.admit(batchId, 'a')).toEqual({ kind: 'running', soon: false });
      await scene.look(batchId, 'a', 'completed');
      expect(await scene.admit(batchId, 'a')).toEqual({ kind: 'running', soon: false });
      await scene.archive(batchId, 'a');
      expect(await scene.admit(batchId, 'a')).toEqual({ kind: 'settled' });
    });

    test('a process that died between the admission and the answer sends the same key and bytes again', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      const first = await scene.admit(batchId, 'a');
      const second = await scene.admit(batchId, 'a');
      if (first.kind !== 'send' || second.kind !== 'send') throw new Error(`${first.kind}, ${second.kind}`);
      expect({ ...second, send: 0 }).toEqual({ ...first, send: 0 });
      expect(second.send).toBeGreaterThan(first.send);
      expect((await scene.batch(batchId)).money).toMatchObject({ held: 100 });
    });

    test.each(['conflict', 'none'] as const)(
      'where the service does not replay keys (%s), it sends nothing again',
      async (mode) => {
        const { scene } = stage;
        const change = { idempotency: { mode, windowHours: 24 } };
        await setPolicy(scene.ledger, { change, actor: ada, nowMs: scene.nowMs });
        const batchId = await scene.make(['a']);
        await scene.admit(batchId, 'a');
        expect(await scene.admit(batchId, 'a')).toEqual({ kind: 'settled' });
        expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'unknown', money: 'held' });
      },
    );

    test('once the service may have forgotten the key, it sends nothing again', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.admit(batchId, 'a');
      scene.nowMs += 24 * 3_600_000;
      expect(await scene.admit(batchId, 'a')).toEqual({ kind: 'settled' });
      expect(await scene.row(batchId, 'a')).toMatchObject({
        ...{ state: 'unknown', money: 'held', reason: expect.stringContaining('forgotten') },
      });
    });
  });
}
