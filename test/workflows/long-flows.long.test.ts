import { afterEach, describe, expect, test } from 'vitest';
import { readBatch } from '../../ledger/batches/batches.js';
import { readRow } from '../../ledger/batches/rows.js';
import { brief } from './product.js';
import { type Scene, startScene } from './scene.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
let scene: Scene;
afterEach(() => scene?.close());

describe('a batch that takes long', () => {
  test('a six-hour render is followed to its end and delivered', async () => {
    scene = await startScene({ studio: { jobSeconds: 6 * 3_600 } });
    const batchId = await scene.making([brief('epic')]);
    expect(await scene.result(batchId)).toBe('closed');
    const row = await readRow(scene.ledger, batchId, 'epic');
    expect(row).toMatchObject({ state: 'delivered', verdict: 'as ordered' });
    const tookMs = (row.endedAtMs ?? 0) - (row.orderedAtMs ?? 0);
    expect(tookMs).toBeGreaterThanOrEqual(6 * hourMs);
    expect(tookMs).toBeLessThan(6 * hourMs + 5 * 60_000);
    expect(scene.studio.books().creates).toHaveLength(1);
  });

  test('an approval on the third day starts the making', async () => {
    scene = await startScene();
    const batchId = await scene.submit([brief('a')]);
    await scene.start(batchId);
    await scene.waiting(batchId);
    await scene.env.sleep(3 * dayMs);
    expect(scene.studio.books().creates).toHaveLength(0);
    await scene.reprice(batchId);
    await scene.waiting(batchId);
    await scene.approve(batchId);
    expect(await scene.result(batchId)).toBe('closed');
    expect(await scene.states(batchId)).toEqual({ a: 'delivered' });
  });

  test('a plan that nobody decides on expires after a week, and nothing is ordered', async () => {
    scene = await startScene();
    const batchId = await scene.submit([brief('a')]);
    await scene.start(batchId);
    await scene.waiting(batchId);
    expect(await scene.result(batchId)).toBe('expired');
    expect(scene.studio.books().creates).toHaveLength(0);
    expect((await readBatch(scene.ledger, batchId)).money).toMatchObject({ approved: 0, held: 0, posted: 0 });
  });

  test('an hour of 429 costs an hour and no attempt, and nothing is sent before Retry-After', async () => {
    const refusal = {
      effect: 'status',
      operation: 'createMovie',
      status: 429,
      retryAfter: 600,
      calls: { to: 6 },
    } as const;
    scene = await startScene({ studio: { faults: { rules: [refusal] } } });
    const batchId = await scene.making([brief('a')]);
    expect(await scene.result(batchId)).toBe('closed');
    const sends = scene.studio.books().requests.filter(({ operation }) => operation === 'createMovie');
    expect(sends.map(({ status }) => status)).toEqual([429, 429, 429, 429, 429, 429, 202]);
    const gaps = sends.slice(1).map(({ atMs }, index) => atMs - (sends[index]?.atMs ?? 0));
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(600_000);
    expect(await readRow(scene.ledger, batchId, 'a')).toMatchObject({ state: 'delivered', attempt: 1 });
  });
});

describe('cancel', () => {
  const long = { jobSeconds: 6 * 3_600 };

  test('one running row is canceled at the service, its neighbour is delivered', async () => {
    scene = await startScene({ studio: long });
    const batchId = await scene.making([brief('a'), brief('b')]);
    await scene.inState(batchId, 'a', 'running');
    await scene.inState(batchId, 'b', 'running');
    await scene.cancel(batchId, ['a']);
    expect(await scene.result(batchId)).toBe('closed');
    expect(await scene.states(batchId)).toEqual({ a: 'canceled', b: 'delivered' });
    const canceled = scene.studio.books().movies.filter(({ status }) => status === 'canceled');
    expect(canceled).toHaveLength(1);
  });

  test('a lost signal costs a delay, not the cancel', async () => {
    scene = await startScene({ studio: long });
    const batchId = await scene.making([brief('a')]);
    await scene.inState(batchId, 'a', 'running');
    await scene.cancel(batchId, ['a']);
    await scene.result(batchId);
    expect(await scene.states(batchId)).toEqual({ a: 'canceled' });
    const [movie] = scene.studio.books().movies;
    expect(movie).toMatchObject({ status: 'canceled' });
    expect((movie?.endedMs ?? 0) - (movie?.createdMs ?? 0)).toBeLessThan(8 * 60_000);
  });

  test('rows that were not admitted cost nothing', async () => {
    scene = await startScene({ studio: long, maxInFlight: 1 });
    const batchId = await scene.making([brief('a'), brief('b'), brief('c')], { maxInFlight: 1 });
    await scene.inState(batchId, 'a', 'running');
    await scene.cancel(batchId, ['b', 'c']);
    expect(await scene.result(batchId)).toBe('closed');
    expect(await scene.states(batchId)).toEqual({ a: 'delivered', b: 'canceled', c: 'canceled' });
    expect(scene.studio.books().creates).toHaveLength(1);
    const { money } = await readBatch(scene.ledger, batchId);
    expect(money).toMatchObject({ held: 0, posted: money.approved / 3, returned: (money.approved / 3) * 2 });
  });

  test('a batch that waits for its decision ends without an order', async () => {
    scene = await startScene();
    const batchId = await scene.submit([brief('a')]);
    await scene.start(batchId);
    await scene.waiting(batchId);
    await scene.cancel(batchId, 'all');
    expect(await scene.result(batchId)).toBe('canceled');
    expect(scene.studio.books().creates).toHaveLength(0);
  });

  test('all rows at once: running ones are canceled at the service, no row is left', async () => {
    scene = await startScene({ studio: long, maxInFlight: 2 });
    const batchId = await scene.making(
      ['a', 'b', 'c', 'd'].map((key) => brief(key)),
      { maxInFlight: 2 },
    );
    await scene.inState(batchId, 'a', 'running');
    await scene.inState(batchId, 'b', 'running');
    await scene.cancel(batchId, 'all');
    expect(await scene.result(batchId)).toBe('canceled');
    expect(new Set(Object.values(await scene.states(batchId)))).toEqual(new Set(['canceled']));
    expect(scene.studio.books().creates).toHaveLength(2);
  });

  test("a cancellation made in Temporal's own tools ends the rows like any other", async () => {
    scene = await startScene({ studio: long });
    const batchId = await scene.making([brief('a'), brief('b')]);
    await scene.inState(batchId, 'a', 'running');
    await scene.inState(batchId, 'b', 'running');
    await scene.env.client.workflow.getHandle(scene.names.batch(batchId)).cancel();
    expect(await scene.result(batchId)).toBe('canceled');
    expect(await scene.states(batchId)).toEqual({ a: 'canceled', b: 'canceled' });
    expect(scene.studio.books().movies.map(({ status }) => status)).toEqual(['canceled', 'canceled']);
  });
});
