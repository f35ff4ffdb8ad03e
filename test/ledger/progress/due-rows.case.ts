import { expect, test } from 'vitest';
import { setPolicy } from '../../../ledger/access/policies.js';
import { openRows, sliceBatch, sliceRows } from '../../../ledger/batches/slices.js';
import { approveBatch } from '../../../ledger/plan/decisions.js';
import { dueRows, endsAfter, setWakeUp } from '../../../ledger/progress/due-rows.js';
import { overdueRows } from '../../../ledger/progress/orphans.js';
import { type Poll, recordPolls } from '../../../ledger/progress/polls.js';
import { nudgeMovies } from '../../../ledger/progress/wake-followers.js';
import type { Databases } from '../databases.js';
import { ada, fay, movieId, type Scene, studio } from '../scene.js';
import { suite } from '../suite.js';

const due = (scene: Scene, batchId: string, slice = 0) =>
  dueRows(scene.ledger, { batchId, slice, nowMs: scene.nowMs, limit: 100 });
const ends = (scene: Scene, batchId: string, seen = 0, slice = 0) => endsAfter(scene.ledger, { batchId, slice, seen });

export function followingCases(databases: Databases): void {
  suite('slices', databases, (stage) => {
    test('are cut once, of the ordered rows, in the order of the sheet', async () => {
      const { scene } = stage;
      const first = await scene.make(['b']);
      await scene.deliver(first, 'b');
      const batchId = await scene.seal(['a', 'b', 'c', 'd', 'e', 'f']);
      await approveBatch(scene.ledger, { batchId, actor: fay, nowMs: scene.nowMs });
      expect(await sliceBatch(scene.ledger, { batchId, sliceRows: 2 })).toEqual({ slices: 3, maxInFlight: null });
      expect(await sliceBatch(scene.ledger, { batchId, sliceRows: 4 })).toEqual({ slices: 3, maxInFlight: null });
      const keys = async (slice: number) => (await sliceRows(scene.ledger, { batchId, slice })).rowKeys;
      expect([await keys(0), await keys(1), await keys(2), await keys(3)]).toEqual([['a', 'c'], ['d', 'e'], ['f'], []]);
      await scene.deliver(batchId, 'a');
      expect(await keys(0)).toEqual(['c']);
      expect(await openRows(scene.ledger, { batchId })).toEqual([
        { slice: 0, rows: 1 },
        { slice: 1, rows: 2 },
        { slice: 2, rows: 1 },
      ]);
    });
  });

  suite('following', databases, (stage) => {
    test('a row is due at its time, and a look sets the next', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      const id = await scene.order(batchId, 'a');
      expect(await due(scene, batchId)).toEqual([]);
      scene.nowMs += 1_000;
      expect(await due(scene, batchId)).toMatchObject([
        { rowKey: 'a', movieId: id, runtimeSeconds: 30, percent: null, cancelDue: false, polls: 0 },
      ]);
      await scene.look(batchId, 'a', 'rendering', { percent: 40, stage: 'rendering' });
      expect(await due(scene, batchId)).toEqual([]);
      expect(await scene.row(batchId, 'a')).toMatchObject({
        ...{ state: 'running', serviceStatus: 'rendering', percent: 40, stage: 'rendering', polls: 1, alarm: null },
      });
      expect(await ends(scene, batchId)).toMatchObject({
        ended: [],
        seen: 0,
        running: 1,
        nextDueAtMs: scene.nowMs + 1_000,
      });
    });

    test('ends are numbered within their slice, whoever settles the row, and read from where one was', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b', 'c', 'd']);
      for (const rowKey of ['a', 'b', 'c', 'd']) await scene.order(batchId, rowKey);
      await scene.look(batchId, 'b', 'completed');
      expect(await ends(scene, batchId)).toMatchObject({
        ended: [{ rowKey: 'b', state: 'completed' }],
        seen: 1,
        running: 3,
      });
      await scene.archive(batchId, 'b');
      await scene.look(batchId, 'd', 'failed', { error: { code: 'moderation', message: 'no' } });
      await scene.look(batchId, 'a', 'canceled');
      expect(await ends(scene, batchId, 1)).toMatchObject({
        ended: [
          { rowKey: 'd', state: 'failed' },
          { rowKey: 'a', state: 'canceled' },
        ],
        seen: 3,
      });
      expect((await ends(scene, batchId)).ended[0]).toMatchObject({ rowKey: 'b', state: 'settled' });
      expect(await ends(scene, batchId, 3)).toMatchObject({ ended: [], seen: 3, running: 1 });
      expect(await scene.row(batchId, 'd')).toMatchObject({ state: 'failed', reason: 'moderation: no' });
    });

    test('many ends in one page get a number each', async () => {
      const { scene } = stage;
      const keys = Array.from({ length: 30 }, (_, index) => `row-${index}`);
      const batchId = await scene.make(keys);
      const polls: Poll[] = [];
      for (const rowKey of keys) {
        const id = await scene.order(batchId, rowKey);
        polls.push({
          ...{ kind: 'answered', rowKey, movieId: id, status: 'completed', percent: 100, stage: null, error: null },
          ...{ cancelSent: false, followAtMs: 0 },
        });
      }
      await recordPolls(scene.ledger, { batchId, slice: 0, polls });
      const { ended, seen } = await ends(scene, batchId);
      expect(seen).toBe(30);
      expect(new Set(ended.map(({ rowKey }) => rowKey)).size).toBe(30);
    });

    test('several video tools: an unknown status word is an alarm and no end', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.order(batchId, 'a');
      await scene.look(batchId, 'a', 'cancelled');
      expect(await scene.row(batchId, 'a')).toMatchObject({
        state: 'running',
        alarm: expect.stringContaining('cancelled'),
      });
      await scene.look(batchId, 'a', 'rendering');
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'running', alarm: null });
    });

    test('a status word whose alarm is cut within a character is kept, with all looks of its page', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      const answered = { kind: 'answered', percent: null, stage: null, error: null, cancelSent: false } as const;
      const status = `${'x'.repeat(59)}🎬`;
      const polls = [
        { ...answered, rowKey: 'a', movieId: await scene.order(batchId, 'a'), status, followAtMs: 0 },
        { ...answered, rowKey: 'b', movieId: await scene.order(batchId, 'b'), status: 'completed', followAtMs: 0 },
      ];
      await recordPolls(scene.ledger, { batchId, slice: 0, polls });
      const alarm = expect.stringMatching(/: x{59}\uFFFD$/);
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'running', alarm });
      expect(await scene.row(batchId, 'b')).toMatchObject({ state: 'archiving' });
    });

    test('trouble with one movie delays that one', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      const [a, b] = [await scene.order(batchId, 'a'), await scene.order(batchId, 'b')];
      const look = {
        kind: 'unanswered',
        rowKey: 'a',
        movieId: a,
        alarm: 'the service answered 503',
        followAtMs: 0,
      } as const;
      await scene.look(batchId, 'b', 'completed', { movieId: b });
      await scene.look(batchId, 'a', '', { ...look, followAtMs: scene.nowMs + 9_000 });
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'running', alarm: 'the service answered 503' });
      expect(await scene.row(batchId, 'b')).toMatchObject({ state: 'archiving' });
    });

    test('a look that comes late, or is of another movie, changes nothing', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.order(batchId, 'a');
      await scene.look(batchId, 'a', 'failed', { movieId: movieId() });
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'running' });
      await scene.look(batchId, 'a', 'completed');
      await scene.look(batchId, 'a', 'failed');
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'archiving' });
      expect(await ends(scene, batchId)).toMatchObject({ seen: 1 });
    });

    test('an end that is looked at by two followers at once is one end', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a']);
      await scene.order(batchId, 'a');
      await Promise.all([scene.look(batchId, 'a', 'failed'), scene.look(batchId, 'a', 'failed')]);
      expect(await ends(scene, batchId)).toMatchObject({ seen: 1 });
      expect((await scene.batch(batchId)).failedRows).toBe(1);
    });

    test('an order learns that its row is due before the follower wakes', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      await setWakeUp(scene.ledger, { batchId, slice: 0, wakeAtMs: scene.nowMs + 500 });
      await scene.admit(batchId, 'a');
      const movie = () => ({ kind: 'movie', movieId: movieId(), echo: 'matches' }) as const;
      expect(await scene.answer(batchId, 'a', movie())).toEqual({ kind: 'running', soon: false });
      await scene.look(batchId, 'a', 'failed');
      await setWakeUp(scene.ledger, { batchId, slice: 0, wakeAtMs: scene.nowMs + 5_000 });
      await scene.admit(batchId, 'b');
      expect(await scene.answer(batchId, 'b', movie())).toEqual({ kind: 'running', soon: true });
      expect(await scene.admit(batchId, 'b')).toEqual({ kind: 'running', soon: true });
    });

    test('a follower does not sleep past a row that became due while it looked', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b']);
      await scene.order(batchId, 'a');
      const wakeAtMs = (await ends(scene, batchId)).nextDueAtMs ?? 0;
      expect(await setWakeUp(scene.ledger, { batchId, slice: 0, wakeAtMs })).toBe(true);
      await scene.admit(batchId, 'b');
      const sooner = { kind: 'movie', movieId: movieId(), echo: 'matches' } as const;
      await scene.answer(batchId, 'b', sooner);
      expect(await setWakeUp(scene.ledger, { batchId, slice: 0, wakeAtMs: wakeAtMs + 1 })).toBe(false);
      await nudgeMovies(scene.ledger, { movieIds: [sooner.movieId], nowMs: scene.nowMs });
      expect(await setWakeUp(scene.ledger, { batchId, slice: 0, wakeAtMs })).toBe(false);
    });

    test('a failed movie is refunded where policy takes it so, and no other', async () => {
      const { scene } = stage;
      const change = { billing: { failed: 'refunded', canceled: 'charged' } } as const;
      await setPolicy(scene.ledger, { change, actor: ada, nowMs: scene.nowMs });
      const batchId = await scene.make(['a', 'b', 'c']);
      for (const rowKey of ['a', 'b', 'c']) await scene.order(batchId, rowKey);
      await scene.look(batchId, 'a', 'failed');
      await scene.look(batchId, 'b', 'canceled');
      await scene.look(batchId, 'c', 'completed');
      expect((await scene.batch(batchId)).money).toMatchObject({ posted: 300, refunded: 100 });
    });

    test('past its deadline a row is overdue: settled for its slice, looked at by whoever reconciles', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b'], { settings: { deadlineSeconds: 600 } });
      for (const rowKey of ['a', 'b']) await scene.order(batchId, rowKey);
      scene.nowMs += 599_999;
      await scene.look(batchId, 'a', 'rendering');
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'running' });
      scene.nowMs += 1;
      await scene.look(batchId, 'a', 'rendering');
      await scene.look(batchId, 'b', 'completed');
      expect(await scene.row(batchId, 'a')).toMatchObject({
        state: 'overdue',
        alarm: expect.stringContaining('deadline'),
      });
      expect(await scene.row(batchId, 'b')).toMatchObject({ state: 'archiving' });
      expect((await ends(scene, batchId)).ended).toMatchObject([{ rowKey: 'a', state: 'overdue' }, { rowKey: 'b' }]);
      expect(await due(scene, batchId)).toEqual([]);
      const overdue = await overdueRows(scene.ledger, { service: studio, limit: 10 });
      expect(overdue).toMatchObject([{ batchId, rowKey: 'a', cancelDue: false }]);
      await scene.look(batchId, 'a', 'completed');
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'archiving' });
    });

    test('a movie that comes past its deadline ends its row again, for a slice that has read its first end', async () => {
      const { scene } = stage;
      const batchId = await scene.make(['a', 'b'], { settings: { deadlineSeconds: 60 } });
      for (const rowKey of ['a', 'b']) await scene.order(batchId, rowKey);
      scene.nowMs += 61_000;
      for (const rowKey of ['a', 'b']) await scene.look(batchId, rowKey, 'rendering');
      const { seen } = await ends(scene, batchId);
      await scene.look(batchId, 'a', 'completed');
      expect(await scene.admit(batchId, 'a')).toEqual({ kind: 'running', soon: false });
      expect((await ends(scene, batchId, seen)).ended).toMatchObject([{ rowKey: 'a', state: 'completed' }]);
    });

    test('policy may have the service told to cancel what is overdue', async () => {
      const { scene } = stage;
      await setPolicy(scene.ledger, { change: { cancelOverdue: true }, actor: ada, nowMs: scene.nowMs });
      const batchId = await scene.make(['a'], { settings: { deadlineSeconds: 600 } });
      await scene.order(batchId, 'a');
      scene.nowMs += 600_000;
      await scene.look(batchId, 'a', 'rendering');
      expect(await overdueRows(scene.ledger, { service: studio, limit: 10 })).toMatchObject([
        { rowKey: 'a', cancelDue: true },
      ]);
      await scene.look(batchId, 'a', 'canceled', { cancelSent: true });
      expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'canceled' });
    });
  });
}
