import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { countRows } from '../../../ledger/batches/rows.js';
import { sliceRows } from '../../../ledger/batches/slices.js';
import { approveBatch } from '../../../ledger/plan/decisions.js';
import { sealBatch } from '../../../ledger/plan/seal.js';
import { requestCancel } from '../../../ledger/progress/cancels.js';
import { archiveJob, recordLost } from '../../../ledger/progress/deliveries.js';
import { endsAfter } from '../../../ledger/progress/due-rows.js';
import { batchesToStart } from '../../../ledger/progress/orphans.js';
import { refetchRows, retryRows } from '../../../ledger/progress/retries.js';
import { settleBatch } from '../../../ledger/progress/settle.js';
import type { Databases } from '../databases.js';
import { fay, oli, type Scene, studio } from '../scene.js';
import { suite } from '../suite.js';

/** One row in each state that can be retried, and one delivered. */
async function mixed(scene: Scene): Promise<string> {
  const batchId = await scene.make(['done', 'failed', 'canceled', 'unsent', 'lost']);
  await scene.deliver(batchId, 'done');
  for (const state of ['failed', 'canceled']) {
    await scene.order(batchId, state);
    await scene.look(batchId, state, state);
  }
  await requestCancel(scene.ledger, { batchId, rowKeys: ['unsent'], actor: oli, reason: 'no', nowMs: scene.nowMs });
  await scene.order(batchId, 'lost');
  await scene.look(batchId, 'lost', 'completed');
  await recordLost(scene.ledger, { batchId, rowKey: 'lost', reason: 'gone', nowMs: scene.nowMs });
  await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs });
  return batchId;
}

const by = (scene: Scene, batchId: string, rowKeys: readonly string[] | 'all' = 'all') => ({
  ...{ batchId, rowKeys, actor: oli, nowMs: scene.nowMs },
});

async function rowsByStatistics({ ledger }: Scene): Promise<number | undefined> {
  const statistics = sql<{ reltuples: number }>`
    select reltuples from pg_class where relname = 'rows' and relnamespace = current_schema()::regnamespace`;
  const { rows } = await statistics.execute(ledger.db);
  return rows[0]?.reltuples;
}

export function retriesCases(databases: Databases): void {
  suite('a retry', databases, (stage) => {
    test('is a new batch of the rows that ended without a movie, to be priced and approved anew', async () => {
      const { scene } = stage;
      const batchId = await mixed(scene);
      const { batchId: retry } = await retryRows(scene.ledger, by(scene, batchId));
      expect(retry).toBe('spring-2');
      expect(await scene.batch(retry)).toMatchObject({ state: 'preparing', submittedBy: 'oli', rowsToOrder: 4 });
      expect(await countRows(scene.ledger, retry)).toEqual({ planned: 4 });
      expect(await scene.row(retry, 'failed')).toMatchObject({ class: 'failed_before', ordered: true });
      expect(await scene.row(retry, 'unsent')).toMatchObject({ class: 'new', ordered: true });
      expect((await scene.row(retry, 'lost')).contentDigest).toBe((await scene.row(batchId, 'lost')).contentDigest);
      expect(await scene.row(batchId, 'failed')).toMatchObject({ state: 'failed' });
    });

    test('of very many rows tells PostgreSQL how many there are now, as the first submission does', async () => {
      const { scene } = stage;
      if (scene.ledger.dialect === 'sqlite') return; // plans by its indexes alone
      const batchId = await scene.make(Array.from({ length: 1_000 }, (_, number) => `row-${number}`));
      expect(await rowsByStatistics(scene)).toBe(1_000);
      await requestCancel(scene.ledger, { batchId, rowKeys: 'all', actor: oli, reason: 'no', nowMs: scene.nowMs });
      await retryRows(scene.ledger, by(scene, batchId));
      expect(await rowsByStatistics(scene)).toBe(2_000);
    });

    test('takes the rows that are named, with a new attempt and a new key', async () => {
      const { scene } = stage;
      const batchId = await mixed(scene);
      const { batchId: retry } = await retryRows(scene.ledger, by(scene, batchId, ['failed']));
      await scene.price(retry);
      await sealBatch(scene.ledger, { batchId: retry });
      await approveBatch(scene.ledger, { batchId: retry, actor: fay, nowMs: scene.nowMs });
      const admission = await scene.admit(retry, 'failed');
      expect(admission).toMatchObject({ kind: 'send', attempt: 2 });
      const { idempotencyKey } = await scene.row(batchId, 'failed');
      expect(admission).not.toMatchObject({ idempotencyKey });
    });

    test('of a row that is unknown is refused, with the way out; so is one of a delivered or rejected row', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b', 'c']);
      await scene.admit(batchId, 'a');
      await scene.answer(batchId, 'a', { kind: 'broken' });
      await scene.deliver(batchId, 'b');
      await scene.admit(batchId, 'c');
      await scene.answer(batchId, 'c', { kind: 'refused', status: 400, code: 'no', message: 'no', retryAfterMs: null });
      await expect(retryRows(scene.ledger, by(scene, batchId, ['a']))).rejects.toMatchObject({
        ...{ code: 'wrong_state', message: expect.stringContaining(`greenlight unknown resolve ${batchId} a`) },
      });
      for (const rowKey of ['b', 'c']) {
        await expect(retryRows(scene.ledger, by(scene, batchId, [rowKey]))).rejects.toMatchObject({
          code: 'wrong_state',
        });
      }
      await expect(retryRows(scene.ledger, by(scene, batchId))).rejects.toMatchObject({ code: 'wrong_state' });
      await expect(retryRows(scene.ledger, by(scene, batchId, ['z']))).rejects.toMatchObject({ code: 'unknown_row' });
    });

    test('asked for twice at once makes movies once', async () => {
      const { scene } = stage;
      const batchId = await mixed(scene);
      const retries = await Promise.all([1, 2].map(() => retryRows(scene.ledger, by(scene, batchId, ['failed']))));
      const approvals = [];
      for (const { batchId: retry } of retries) {
        await scene.price(retry);
        await sealBatch(scene.ledger, { batchId: retry });
        approvals.push(approveBatch(scene.ledger, { batchId: retry, actor: fay, nowMs: scene.nowMs }));
      }
      const outcomes = await Promise.allSettled(approvals);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'stale_plan' } });
    });
  });

  suite('a refetch', databases, (stage) => {
    test('asks the same movie for its files again, free, and the batch is busy until that is over', async () => {
      const { scene } = stage;
      const batchId = await mixed(scene);
      const { movieId } = await scene.row(batchId, 'lost');
      scene.nowMs += 3_600_000;
      const money = (await scene.batch(batchId)).money;
      const { seen } = await endsAfter(scene.ledger, { batchId, slice: 0, seen: 0 });
      expect(await refetchRows(scene.ledger, by(scene, batchId))).toEqual({ rows: 1 });
      expect(await scene.batch(batchId)).toMatchObject({ state: 'making', failedRows: 1, money });
      expect(await batchesToStart(scene.ledger, { service: studio })).toEqual([{ batchId, state: 'making' }]);
      expect(await sliceRows(scene.ledger, { batchId, slice: 0 })).toMatchObject({ rowKeys: ['lost'] });
      expect(await scene.admit(batchId, 'lost')).toEqual({ kind: 'running', soon: false });
      const { ended } = await endsAfter(scene.ledger, { batchId, slice: 0, seen });
      expect(ended).toMatchObject([{ rowKey: 'lost', state: 'completed' }]);
      expect(await archiveJob(scene.ledger, { batchId, rowKey: 'lost' })).toMatchObject({
        ...{ movieId, lostAfterMs: scene.nowMs + 3_600_000 },
      });
      await scene.archive(batchId, 'lost');
      expect(await settleBatch(scene.ledger, { batchId, nowMs: scene.nowMs })).toEqual({ state: 'closed' });
      expect(await scene.batch(batchId)).toMatchObject({ state: 'closed', money });
    });

    test('refuses rows that are not lost', async () => {
      const { scene } = stage;
      const batchId = await mixed(scene);
      await expect(refetchRows(scene.ledger, by(scene, batchId, ['done']))).rejects.toThrow(
        'it is delivered, not lost',
      );
      expect((await scene.batch(batchId)).state).toBe('closed');
    });

    test('of a row that is being made again is refused', async () => {
      const { scene } = stage;
      const batchId = await mixed(scene);
      const retry = await scene.make(['lost'], { settings: { include: ['lost'] } });
      await expect(refetchRows(scene.ledger, by(scene, batchId))).rejects.toMatchObject({
        ...{ code: 'wrong_state', message: expect.stringContaining(retry) },
      });
    });
  });
}
