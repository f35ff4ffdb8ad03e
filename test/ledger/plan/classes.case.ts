import { expect, test } from 'vitest';
import { resolveUnknown } from '../../../ledger/orders/unknowns.js';
import { classifyRows } from '../../../ledger/plan/classify-rows.js';
import { removedRows } from '../../../ledger/plan/removed-rows.js';
import { requestCancel } from '../../../ledger/progress/cancels.js';
import { recordLost } from '../../../ledger/progress/deliveries.js';
import { settleBatch } from '../../../ledger/progress/settle.js';
import type { Databases } from '../databases.js';
import { brief, newRow, oli, type Scene, type Submission, studio } from '../scene.js';
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
      const batchId = await scene.seal(['a'], { service: real });
      expect(await scene.row(batchId, 'a')).toMatchObject({ class: 'new', ordered: true });
    });
  });
}
