import { expect, test } from 'vitest';
import { runTimesKept } from '../../../domain/run-times.js';
import { dueRows, lookSooner, waitingRows } from '../../../ledger/progress/due-rows.js';
import { readRunTimes, sampleOf } from '../../../ledger/progress/run-times.js';
import type { Databases } from '../databases.js';
import { suite } from '../suite.js';

const third = { from: 0.333, to: 0.334, ofPercent: null };
const twice = { from: 2, to: 2, ofPercent: 1 };

export function runTimesCases(databases: Databases): void {
  suite('run times', databases, (stage) => {
    test('an end teaches its own batch first, then the others of the service', async () => {
      const { scene } = stage;
      const first = await scene.make(['a', 'b'], { campaign: 'first' });
      await scene.order(first, 'a');
      await scene.look(first, 'a', 'completed', { runTime: third });
      const second = await scene.make(['c'], { campaign: 'second' });
      expect(sampleOf(await readRunTimes(scene.ledger, second))).toEqual([third]);
      await scene.order(second, 'c');
      expect(await readRunTimes(scene.ledger, second)).toMatchObject({ inFlight: 1 });
      await scene.look(second, 'c', 'completed', { runTime: twice });
      expect(sampleOf(await readRunTimes(scene.ledger, second))).toEqual([twice, third]);
    });

    test('a look that came too late teaches nothing, and no more ends are kept than serve', async () => {
      const { scene } = stage;
      const keys = Array.from({ length: runTimesKept + 6 }, (_, index) => `r${index}`);
      const batchId = await scene.make(keys);
      for (const key of keys) {
        await scene.order(batchId, key);
        await scene.look(batchId, key, 'completed', { runTime: { ...third, from: Number(key.slice(1)) } });
        await scene.look(batchId, key, 'completed', { runTime: twice });
      }
      const sample = sampleOf(await readRunTimes(scene.ledger, batchId));
      expect(sample).toHaveLength(runTimesKept);
      expect(sample[0]).toEqual({ ...third, from: runTimesKept + 5 });
    });

    test('a look at a running movie is remembered; its end leaves the last one', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.order(batchId, 'a');
      const orderedMs = scene.nowMs;
      scene.nowMs += 5_000;
      await scene.look(batchId, 'a', 'rendering', { percent: 40 });
      scene.nowMs += 5_000;
      const [row] = await dueRows(scene.ledger, { batchId, slice: 0, nowMs: scene.nowMs, limit: 1 });
      expect(row).toMatchObject({ orderedAtMs: orderedMs, lookedAtMs: orderedMs + 5_000, percent: 40 });
    });

    test('looks are brought forward, never put off, and not where the service may have named the time', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b', 'c']);
      for (const key of ['a', 'b', 'c']) await scene.order(batchId, key);
      const later = {
        kind: 'unanswered',
        alarm: 'the service answered 429',
        followAtMs: scene.nowMs + 60_000,
      } as const;
      await scene.look(batchId, 'b', '', later);
      expect((await waitingRows(scene.ledger, { batchId, slice: 0 })).map(({ rowKey }) => rowKey)).toEqual(['a', 'c']);
      const { nextLookAtMs } = await scene.row(batchId, 'c');
      await lookSooner(scene.ledger, [
        { batchId, rowKey: 'a', followAtMs: scene.nowMs + 10 },
        { batchId, rowKey: 'c', followAtMs: (nextLookAtMs ?? 0) + 10_000 },
      ]);
      expect(await scene.row(batchId, 'a')).toMatchObject({ nextLookAtMs: scene.nowMs + 10 });
      expect(await scene.row(batchId, 'c')).toMatchObject({ nextLookAtMs });
    });
  });
}
