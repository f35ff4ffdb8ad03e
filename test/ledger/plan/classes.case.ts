import { describe, expect, test } from 'vitest';
import { resolveUnknown } from '../../../ledger/orders/resolve-unknown.js';
import { checkPlan } from '../../../ledger/plan/approval-checks.js';
import { approveBatch, rejectBatch } from '../../../ledger/plan/decisions.js';
import { classifyRows } from '../../../ledger/plan/preview-classes.js';
import { removedRows } from '../../../ledger/plan/removed-rows.js';
import { sealBatch } from '../../../ledger/plan/seal.js';
import { requestCancel } from '../../../ledger/progress/cancels.js';
import { recordLost } from '../../../ledger/progress/deliveries.js';
import { settleBatch } from '../../../ledger/progress/settle.js';
import { reconcileRestored } from '../../../ledger/verification/restored-ledger.js';
import type { Databases } from '../databases.js';
import { brief, fay, newRow, oli, type Scene, type Submission, studio } from '../scene.js';
import { suite } from '../suite.js';

const changed = (rowKey: string) => brief(rowKey, { prompt: `A swimmer at dusk, take ${rowKey}` });

/** The class of one row in the next batch, as `plan` would say and as the batch then has it. */
async function classOf(scene: Scene, row: Parameters<typeof newRow>[0], submission: Submission = {}) {
  const { campaign = 'spring', settings = {} } = submission;
  const rules = { include: [], respend: false, allowDuplicates: false, ...settings };
  const [planned] = await classifyRows(scene.ledger, { service: studio, campaign, rules, rows: [newRow(row)] });
  const batchId = await scene.seal([row], submission);
  const stored = await scene.row(batchId, row.rowKey);
  expect({ class: stored.class, ordered: stored.ordered }).toEqual({
    class: planned?.class,
    ordered: planned?.ordered,
  });
  expect(stored.classDetail).toEqual(planned?.classDetail);
  return { class: stored.class, ordered: stored.ordered, state: stored.state, detail: stored.classDetail };
}

/** A batch with one row that ended so. */
async function ended(scene: Scene, state: 'delivered' | 'failed' | 'canceled' | 'lost'): Promise<string> {
  const batchId = await scene.make(['a']);
  await scene.order(batchId, 'a');
  await scene.look(batchId, 'a', state === 'failed' || state === 'canceled' ? state : 'completed');
  if (state === 'delivered') await scene.archive(batchId, 'a');
  if (state === 'lost') await recordLost(scene.ledger, { batchId, rowKey: 'a', reason: 'gone', nowMs: scene.nowMs });
  await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs });
  return batchId;
}

export function classesCases(databases: Databases): void {
  suite('classes of rows from the books', databases, (stage) => {
    test('without history: new', async () => {
      expect(await classOf(stage.scene, brief('a'))).toMatchObject({ class: 'new', ordered: true, state: 'planned' });
    });

    test('delivered with the same content: unchanged', async () => {
      const { scene } = stage;
      const batchId = await ended(scene, 'delivered');
      expect(await classOf(scene, brief('a'))).toEqual({
        ...{ class: 'unchanged', ordered: false, state: 'unchanged' },
        detail: { batchId },
      });
    });

    test('delivered with other content: respend, with the fields that differ', async () => {
      const { scene } = stage;
      const batchId = await ended(scene, 'delivered');
      expect(await classOf(scene, changed('a'))).toEqual({
        ...{ class: 'respend', ordered: false, state: 'left_out' },
        detail: { batchId, state: 'delivered', changed: ['prompt'] },
      });
      const asked = await classOf(scene, changed('a'), { settings: { respend: true } });
      expect(asked).toMatchObject({ class: 'respend', ordered: true, state: 'planned' });
    });

    test.each(['failed', 'canceled', 'lost'] as const)('%s after it was paid: only when included', async (state) => {
      const { scene } = stage;
      const batchId = await ended(scene, state);
      expect(await classOf(scene, brief('a'))).toEqual({
        ...{ class: 'failed_before', ordered: false, state: 'left_out' },
        detail: { batchId, state },
      });
      expect(await classOf(scene, brief('a'), { settings: { include: [state] } })).toMatchObject({ ordered: true });
    });

    test('open in another batch: left there, refused with other content', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      expect(await classOf(scene, brief('a'))).toMatchObject({
        ...{ class: 'open', ordered: false, state: 'open_elsewhere' },
        detail: { batchId },
      });
      expect(await classOf(scene, changed('a'), { settings: { respend: true } })).toMatchObject({
        ...{ class: 'open_changed', ordered: false, state: 'left_out' },
      });
    });

    test('a plan that only waits for its decision is no history', async () => {
      const { scene } = stage;
      await scene.seal(['a']);
      expect(await classOf(scene, brief('a'))).toMatchObject({ class: 'new' });
    });

    test('rejected by the service, and canceled before it was sent: new', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      await scene.admit(batchId, 'a');
      const refusal = { kind: 'refused', status: 422, code: 'no', message: 'no', retryAfterMs: null } as const;
      await scene.answer(batchId, 'a', refusal);
      await requestCancel(scene.ledger, { batchId, rowKeys: ['b'], actor: oli, reason: 'no', nowMs: scene.nowMs });
      expect(await classOf(scene, brief('a'))).toMatchObject({ class: 'new', ordered: true });
      expect(await classOf(scene, changed('a'))).toMatchObject({ class: 'new', ordered: true });
      expect(await classOf(scene, brief('b'))).toMatchObject({ class: 'new', ordered: true });
    });

    test('unknown: refused until it is resolved, then by what was found', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', { kind: 'broken' });
      await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs });
      for (const row of [brief('a'), changed('a')]) {
        expect(await classOf(scene, row, { settings: { respend: true } })).toMatchObject({
          ...{ class: 'unknown', ordered: false, state: 'left_out' },
        });
      }
      const resolution = { kind: 'not_created', evidence: 'their support says so' } as const;
      const request = { batchId, rowKey: 'a', resolution, nowMs: scene.nowMs };
      for (const name of ['fay', 'flo']) {
        await resolveUnknown(scene.ledger, { ...request, actor: { name, roles: ['finance'], channel: 'terminal' } });
      }
      expect(await classOf(scene, brief('a'))).toMatchObject({ class: 'new', ordered: true });
    });

    test('the same content under another key or campaign: a duplicate, until it is allowed', async () => {
      const { scene } = stage;
      const batchId = await ended(scene, 'delivered');
      const renamed = { ...brief('a'), rowKey: 'b' };
      expect(await classOf(scene, renamed)).toEqual({
        ...{ class: 'duplicate', ordered: false, state: 'left_out' },
        detail: { batchId, rowKey: 'a' },
      });
      expect(await classOf(scene, brief('a'), { campaign: 'winter' })).toMatchObject({ class: 'duplicate' });
      const allowed = await classOf(scene, renamed, { settings: { allowDuplicates: true } });
      expect(allowed).toMatchObject({ class: 'duplicate', ordered: true });
    });

    test('the same content approved in another campaign: a duplicate while it is open there, new once it was canceled', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      const winter = { campaign: 'winter' };
      expect(await classOf(scene, brief('a'), winter)).toEqual({
        ...{ class: 'duplicate', ordered: false, state: 'left_out' },
        detail: { batchId, rowKey: 'a', state: 'open' },
      });
      const real = { name: 'movies', baseUrl: 'https://movies.example/v1', rehearsal: false };
      await scene.fund('acme/spring', 1_000, real);
      const elsewhere = await scene.seal(['a'], { ...winter, service: real });
      expect(await scene.row(elsewhere, 'a')).toMatchObject({ class: 'new' });
      const cancel = { batchId, rowKeys: 'all', actor: oli, reason: 'no', nowMs: scene.nowMs } as const;
      await requestCancel(scene.ledger, cancel);
      expect(await classOf(scene, brief('a'), { campaign: 'autumn' })).toMatchObject({ class: 'new', ordered: true });
      const allowed = { campaign: 'summer', settings: { allowDuplicates: true } };
      expect(await classOf(scene, brief('a'), allowed)).toMatchObject({ class: 'duplicate', ordered: true });
    });

    test('the same content in a plan that waits: the earlier plan has it, and the later one when that is rejected', async () => {
      const { scene } = stage;
      const first = await scene.seal(['a', 'b']);
      const second = await scene.seal(['a', 'c'], { campaign: 'winter' });
      expect(await scene.row(second, 'a')).toMatchObject({ class: 'duplicate', state: 'left_out' });
      const approve = (batchId: string) => approveBatch(scene.ledger, { batchId, actor: fay, nowMs: scene.nowMs });
      await rejectBatch(scene.ledger, { batchId: first, actor: fay, reason: 'no', nowMs: scene.nowMs });
      await expect(approve(second)).rejects.toMatchObject({
        ...{ code: 'stale_plan', message: expect.stringContaining('a was duplicate, is new') },
      });
      await scene.price(second);
      await sealBatch(scene.ledger, { batchId: second });
      expect(await approve(second)).toMatchObject({ kind: 'approved' });
      expect(await scene.batch(second)).toMatchObject({ totalMinor: 200 });
    });

    test.each([
      ['its key open with other content', 'open changed', (scene: Scene) => scene.make([changed('a')])],
      [
        'its key paid with other content',
        'respend',
        async (scene: Scene) => scene.deliver(await scene.make([changed('a')]), 'a'),
      ],
      [
        'its content approved elsewhere',
        'duplicate',
        (scene: Scene) => scene.make(['a'], { campaign: 'winter', settings: { allowDuplicates: true } }),
      ],
    ] as const)(
      'one row of a plan has %s since: the plan is stale, by look and by approval',
      async (_, now, happen) => {
        const { scene } = stage;
        const batchId = await scene.seal(['x', 'a', 'y']);
        const look = () => checkPlan(scene.ledger, { batchId, actor: fay });
        expect(await look()).toMatchObject({ classes: null });
        await happen(scene);
        expect(await look()).toMatchObject({ classes: `a was new, is ${now}` });
        await expect(approveBatch(scene.ledger, { batchId, actor: fay, nowMs: scene.nowMs })).rejects.toMatchObject({
          ...{ code: 'stale_plan', message: expect.stringContaining(`a was new, is ${now};`) },
        });
      },
    );

    describe('recovered from the archive of a ledger that was lost', () => {
      const lift = async (scene: Scene, service = studio) => {
        await scene.ledger.db.updateTable('ledger').set({ halted: 'the archive is ahead' }).execute();
        const { contentDigest } = newRow(brief('a'));
        const movies = [{ movieId: 'movie_a', contentDigest, batchId: 'spring-9', rowKey: 'a' }];
        const recovered = { service, movies: [...movies, ...movies] };
        await reconcileRestored(scene.ledger, { actor: fay, reason: 'compared', nowMs: scene.nowMs, recovered });
      };

      test('is a duplicate in every campaign, first batch or not, and is ordered where that is allowed', async () => {
        const { scene } = stage;
        await lift(scene);
        await lift(scene); // a second time, it is the same movie
        const left = { class: 'duplicate', ordered: false, state: 'left_out' };
        const detail = { batchId: 'spring-9', rowKey: 'a', state: 'recovered' };
        expect(await classOf(scene, brief('a'))).toEqual({ ...left, detail });
        expect(await classOf(scene, brief('z', { ...brief('a'), rowKey: 'z' }), { campaign: 'winter' })).toMatchObject(
          left,
        );
        expect(await classOf(scene, brief('b'))).toMatchObject({ class: 'new', ordered: true });
        const allowed = { settings: { allowDuplicates: true } };
        expect(await classOf(scene, brief('a'), allowed)).toMatchObject({ class: 'duplicate', ordered: true });
      });

      test('keeps its folder: the next batch of its campaign has a number of its own', async () => {
        const { scene } = stage;
        await lift(scene);
        for (const number of [1, 2, 3, 4, 5, 6, 7, 8]) expect(await scene.seal(['b'])).toBe(`spring-${number}`);
        expect(await scene.seal(['b'])).toBe('spring-10');
      });

      test('of another service it says nothing', async () => {
        const { scene } = stage;
        await lift(scene, { ...studio, name: 'another' });
        expect(await classOf(scene, brief('a'))).toMatchObject({ class: 'new', ordered: true });
      });

      test('a plan that was made before is stale, and has the row left out when it is made again', async () => {
        const { scene } = stage;
        const batchId = await scene.seal(['a', 'b']);
        await lift(scene);
        const approve = () => approveBatch(scene.ledger, { batchId, actor: fay, nowMs: scene.nowMs });
        await expect(approve()).rejects.toMatchObject({
          ...{ code: 'stale_plan', message: expect.stringContaining('a was new, is duplicate') },
        });
        await scene.price(batchId);
        await sealBatch(scene.ledger, { batchId });
        await approve();
        expect(await scene.batch(batchId)).toMatchObject({ totalMinor: 100 });
      });
    });

    test('plans with the same content, stored and approved at once: it is ordered by one of them', async () => {
      const { scene } = stage;
      const batches = await Promise.all(
        ['one', 'two', 'three', 'four'].map((campaign) => scene.seal(['a', campaign], { campaign })),
      );
      // As if none had seen another when it was stored.
      const rows = scene.ledger.db.updateTable('rows').where('row_key', '=', 'a');
      await rows.set({ class: 'new', class_of: null, ordered: 1, state: 'planned' }).execute();
      await scene.ledger.db.updateTable('batches').set({ state: 'preparing' }).execute();
      const seal = async (batchId: string) => {
        await scene.price(batchId);
        await sealBatch(scene.ledger, { batchId });
      };
      for (const batchId of batches) await seal(batchId);
      const approve = (batchId: string) => approveBatch(scene.ledger, { batchId, actor: fay, nowMs: scene.nowMs });
      const first = await Promise.allSettled(batches.map(approve));
      expect(first.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const [index, { status }] of first.entries()) {
        if (status === 'fulfilled') continue;
        await seal(batches[index] ?? '');
        await approve(batches[index] ?? '');
      }
      const open = await scene.ledger.db.selectFrom('rows').select(['row_key']).where('open', '=', 1).execute();
      expect(open.map(({ row_key }) => row_key).sort()).toEqual(['a', 'four', 'one', 'three', 'two']);
    });

    test('what the campaign has and the sheet has not is listed as removed, and left alone', async () => {
      const { scene } = stage;
      const first = await scene.make(['a', 'b', 'c', 'd']);
      await scene.deliver(first, 'a');
      await scene.deliver(first, 'b');
      await scene.order(first, 'd');
      await scene.look(first, 'd', 'failed');
      const question = { service: studio, campaign: 'spring', has: (rowKey: string) => ['a', 'z'].includes(rowKey) };
      expect(await removedRows(scene.ledger, question)).toEqual([
        { rowKey: 'b', batchId: first, state: 'delivered' },
        { rowKey: 'c', batchId: first, state: 'planned' },
      ]);
      expect(await scene.row(first, 'c')).toMatchObject({ state: 'planned' });
    });

    test('a delivery of the rehearsal is none of the real service, nor the reverse', async () => {
      const { scene } = stage;
      await ended(scene, 'delivered');
      const real = { name: 'movies', baseUrl: 'https://movies.example/v1', rehearsal: false };
      await scene.fund('acme/spring', 1_000, real);
      const batchId = await scene.seal(['a'], { service: real });
      expect(await scene.row(batchId, 'a')).toMatchObject({ class: 'new', ordered: true });
    });
  });
}
