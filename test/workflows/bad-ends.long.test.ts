import { afterEach, describe, expect, test, vi } from 'vitest';
import { readBatch } from '../../ledger/batches/batches.js';
import { readRow } from '../../ledger/batches/rows.js';
import { nudgeMovies } from '../../ledger/progress/wake-followers.js';
import { brief } from './product.js';
import { type Scene, startScene } from './scene.js';

let scene: Scene;
afterEach(() => scene?.close());

describe('a slice that ends badly, on a real server', () => {
  test(
    'terminated from outside, its rows go on in the next try and none is ordered twice',
    { timeout: 120_000 },
    async () => {
      scene = await startScene({ server: 'dev', studio: { jobSeconds: 4 } });
      const batchId = await scene.making([brief('a'), brief('b')]);
      await scene.inState(batchId, 'a', 'running');
      await scene.inState(batchId, 'b', 'running');
      await scene.env.client.workflow.getHandle(scene.names.slice(batchId, 0, 1)).terminate('a test');
      expect(await scene.result(batchId)).toBe('closed');
      expect(await scene.states(batchId)).toEqual({ a: 'delivered', b: 'delivered' });
      expect(scene.studio.books().creates).toHaveLength(2);
      const again = await scene.env.client.workflow.getHandle(scene.names.slice(batchId, 0, 2)).describe();
      expect(again.status.name).toBe('COMPLETED');
    },
  );

  test('a terminated batch is started again by reconcile, and a batch that runs is left alone', async () => {
    scene = await startScene({ server: 'dev', studio: { jobSeconds: 4 } });
    const batchId = await scene.making([brief('a'), brief('b')]);
    await scene.inState(batchId, 'a', 'running');
    await scene.inState(batchId, 'b', 'running');
    await scene.env.client.workflow.getHandle(scene.names.batch(batchId)).terminate('a test');
    expect(await scene.reconcile()).toBe(1);
    expect(await scene.result(batchId)).toBe('closed');
    expect(await scene.states(batchId)).toEqual({ a: 'delivered', b: 'delivered' });
    expect(scene.studio.books().creates).toHaveLength(2);
    expect(await scene.reconcile()).toBe(0);
  });

  test('a movie past its deadline is looked after until it ends, and its files are saved', async () => {
    scene = await startScene({ server: 'dev', studio: { jobSeconds: 8 } });
    const batchId = await scene.making([brief('late')], { deadlineSeconds: 1 });
    await scene.inState(batchId, 'late', 'running');
    const { movieId } = await readRow(scene.ledger, batchId, 'late');
    await vi.waitFor(
      async () => {
        await nudgeMovies(scene.ledger, { movieIds: [movieId ?? ''], nowMs: scene.nowMs() });
        await scene.nudge(batchId);
        expect(await scene.states(batchId)).toEqual({ late: 'overdue' });
      },
      { timeout: 7_000, interval: 250 },
    );
    expect(await scene.result(batchId)).toBe('unsettled');
    await vi.waitFor(
      async () => {
        await scene.reconcile();
        expect(await scene.states(batchId)).toEqual({ late: 'delivered' });
        expect((await readBatch(scene.ledger, batchId)).state).toBe('closed');
      },
      { timeout: 60_000, interval: 500 },
    );
    expect(scene.studio.books().creates).toHaveLength(1);
  });
});

describe('signals, on a real server', () => {
  test('a cancel reaches a running movie at once, its neighbour is delivered', async () => {
    scene = await startScene({ server: 'dev', studio: { jobSeconds: 6 } });
    const batchId = await scene.making([brief('a'), brief('b')]);
    await scene.inState(batchId, 'a', 'running');
    await scene.inState(batchId, 'b', 'running');
    await scene.cancel(batchId, ['a']);
    await scene.nudge(batchId);
    expect(await scene.result(batchId)).toBe('closed');
    expect(await scene.states(batchId)).toEqual({ a: 'canceled', b: 'delivered' });
  });

  test('a cancel that comes after the movie finished changes nothing: it is delivered', async () => {
    scene = await startScene({ server: 'dev', studio: { jobSeconds: 2 } });
    const batchId = await scene.making([brief('a')]);
    await scene.inState(batchId, 'a', 'running');
    await vi.waitFor(() => expect(scene.studio.books().movies).toMatchObject([{ status: 'completed' }]), {
      timeout: 20_000,
      interval: 20,
    });
    await scene.cancel(batchId, ['a']);
    await scene.nudge(batchId);
    await scene.result(batchId);
    expect(await scene.states(batchId)).toEqual({ a: 'delivered' });
  });
});
