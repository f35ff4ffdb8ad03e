import { afterEach, describe, expect, test, vi } from 'vitest';
import { readBatch } from '../../ledger/batches.js';
import { requestCancel } from '../../ledger/cancels.js';
import { listRows, readRow } from '../../ledger/rows.js';
import { batchWorkflowId, sliceWorkflowId } from '../../workflows/names.js';
import { brief, type Product, type ProductOptions, startProduct, submitter } from './product.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const testTime = { timeout: 60_000 };

let product: Product;
afterEach(() => product?.close());

async function start(options?: ProductOptions): Promise<Product> {
  product = await startProduct(options);
  return product;
}

/** Waits in real time: the server skips none while nobody awaits a result. */
async function until(what: () => Promise<boolean>): Promise<void> {
  await vi.waitFor(async () => expect(await what()).toBe(true), { timeout: 20_000, interval: 20 });
}

async function waiting(batchId: string): Promise<void> {
  await until(async () => (await readBatch(product.ledger, batchId)).state === 'waiting');
}

async function inState(batchId: string, rowKey: string, state: string): Promise<void> {
  await until(async () => (await readRow(product.ledger, batchId, rowKey)).state === state);
}

/** Submitted, priced, approved and under way. */
async function making(briefs: Parameters<Product['submit']>[0], settings?: Parameters<Product['submit']>[1]) {
  const batchId = await product.submit(briefs, settings);
  await product.start(batchId);
  await waiting(batchId);
  await product.approve(batchId);
  return batchId;
}

async function states(batchId: string): Promise<Record<string, string>> {
  const rows = await listRows(product.ledger, batchId, { limit: 500 });
  return Object.fromEntries(rows.map(({ rowKey, state }) => [rowKey, state]));
}

describe('a batch that takes long', () => {
  test('a six-hour render is followed to its end and delivered', testTime, async () => {
    await start({ studio: { jobSeconds: 6 * 3_600 } });
    const batchId = await making([brief('epic')]);
    const startedMs = product.nowMs();
    expect(await product.result(batchId)).toBe('closed');
    const row = await readRow(product.ledger, batchId, 'epic');
    expect(row).toMatchObject({ state: 'delivered', verdict: 'as ordered' });
    expect(product.nowMs() - startedMs).toBeGreaterThanOrEqual(6 * hourMs);
    expect(product.nowMs() - startedMs).toBeLessThan(6 * hourMs + 5 * 60_000);
    expect(product.studio.books().creates).toHaveLength(1);
  });

  test('an approval on the third day starts the making', testTime, async () => {
    await start();
    const batchId = await product.submit([brief('a')]);
    await product.start(batchId);
    await waiting(batchId);
    await product.env.sleep(3 * dayMs);
    expect(product.studio.books().creates).toHaveLength(0);
    await product.reprice(batchId);
    await product.approve(batchId);
    expect(await product.result(batchId)).toBe('closed');
    expect(await states(batchId)).toEqual({ a: 'delivered' });
  });

  test('a plan that nobody decides on expires after a week, and nothing is ordered', testTime, async () => {
    await start();
    const batchId = await product.submit([brief('a')]);
    await product.start(batchId);
    await waiting(batchId);
    expect(await product.result(batchId)).toBe('expired');
    expect(product.studio.books().creates).toHaveLength(0);
    expect((await readBatch(product.ledger, batchId)).money).toMatchObject({ approved: 0, held: 0, posted: 0 });
  });

  test('an hour of 429 costs an hour and no attempt, and nothing is sent before Retry-After', testTime, async () => {
    const refusal = {
      effect: 'status',
      operation: 'createMovie',
      status: 429,
      retryAfter: 600,
      calls: { to: 6 },
    } as const;
    await start({ studio: { faults: { rules: [refusal] } } });
    const batchId = await making([brief('a')]);
    expect(await product.result(batchId)).toBe('closed');
    const sends = product.studio.books().requests.filter(({ operation }) => operation === 'createMovie');
    expect(sends.map(({ status }) => status)).toEqual([429, 429, 429, 429, 429, 429, 202]);
    const gaps = sends.slice(1).map(({ atMs }, index) => atMs - (sends[index]?.atMs ?? 0));
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(600_000);
    expect(await readRow(product.ledger, batchId, 'a')).toMatchObject({ state: 'delivered', attempt: 1 });
  });
});

describe('cancel', () => {
  const long = { jobSeconds: 6 * 3_600 };

  test('one running row is canceled at the service, its neighbour is delivered', testTime, async () => {
    await start({ studio: long });
    const batchId = await making([brief('a'), brief('b')]);
    await inState(batchId, 'a', 'running');
    await inState(batchId, 'b', 'running');
    await cancel(batchId, ['a']);
    await product.nudge(batchId);
    expect(await product.result(batchId)).toBe('closed');
    expect(await states(batchId)).toEqual({ a: 'canceled', b: 'delivered' });
    const canceled = product.studio.books().movies.filter(({ status }) => status === 'canceled');
    expect(canceled).toHaveLength(1);
  });

  test('a lost signal costs a delay, not the cancel', testTime, async () => {
    await start({ studio: long });
    const batchId = await making([brief('a')]);
    await inState(batchId, 'a', 'running');
    await cancel(batchId, ['a']);
    await product.result(batchId);
    expect(await states(batchId)).toEqual({ a: 'canceled' });
    const [movie] = product.studio.books().movies;
    expect(movie).toMatchObject({ status: 'canceled' });
    expect((movie?.endedMs ?? 0) - (movie?.createdMs ?? 0)).toBeLessThan(2 * 60_000);
  });

  test('rows that were not admitted cost nothing', testTime, async () => {
    await start({ studio: long, maxInFlight: 1 });
    const batchId = await making([brief('a'), brief('b'), brief('c')], { maxInFlight: 1 });
    await inState(batchId, 'a', 'running');
    await cancel(batchId, ['b', 'c']);
    await product.nudge(batchId);
    expect(await product.result(batchId)).toBe('closed');
    expect(await states(batchId)).toEqual({ a: 'delivered', b: 'canceled', c: 'canceled' });
    expect(product.studio.books().creates).toHaveLength(1);
    const { money } = await readBatch(product.ledger, batchId);
    expect(money).toMatchObject({ held: 0, posted: money.approved / 3, returned: (money.approved / 3) * 2 });
  });

  test('a movie that finished first is delivered, whatever was wanted', testTime, async () => {
    await start({ studio: { jobSeconds: 30 } });
    const batchId = await making([brief('a')]);
    await inState(batchId, 'a', 'running');
    await product.env.sleep(31_000);
    await cancel(batchId, ['a']);
    expect(await product.result(batchId)).toBe('closed');
    expect(await states(batchId)).toEqual({ a: 'delivered' });
  });

  test('a batch that waits for its decision ends without an order', testTime, async () => {
    await start();
    const batchId = await product.submit([brief('a')]);
    await product.start(batchId);
    await waiting(batchId);
    await cancel(batchId, 'all');
    await product.nudge(batchId);
    expect(await product.result(batchId)).toBe('canceled');
    expect(product.studio.books().creates).toHaveLength(0);
  });

  test('all rows at once: running ones are canceled at the service, no row is left', testTime, async () => {
    await start({ studio: long, maxInFlight: 2 });
    const batchId = await making(
      ['a', 'b', 'c', 'd'].map((key) => brief(key)),
      { maxInFlight: 2 },
    );
    await inState(batchId, 'a', 'running');
    await inState(batchId, 'b', 'running');
    await cancel(batchId, 'all');
    await product.nudge(batchId);
    expect(await product.result(batchId)).toBe('canceled');
    expect(new Set(Object.values(await states(batchId)))).toEqual(new Set(['canceled']));
    expect(product.studio.books().creates).toHaveLength(2);
  });

  test("a cancellation made in Temporal's own tools ends the rows like any other", testTime, async () => {
    await start({ studio: long });
    const batchId = await making([brief('a'), brief('b')]);
    await inState(batchId, 'a', 'running');
    await inState(batchId, 'b', 'running');
    await product.env.client.workflow.getHandle(batchWorkflowId(batchId)).cancel();
    expect(await product.result(batchId)).toBe('canceled');
    expect(await states(batchId)).toEqual({ a: 'canceled', b: 'canceled' });
    expect(product.studio.books().movies.map(({ status }) => status)).toEqual(['canceled', 'canceled']);
  });
});

describe('a slice that ends badly', () => {
  test('terminated from outside, its rows go on in the next try and none is ordered twice', testTime, async () => {
    await start({ studio: { jobSeconds: 600 } });
    const batchId = await making([brief('a'), brief('b')]);
    await inState(batchId, 'a', 'running');
    await inState(batchId, 'b', 'running');
    await product.env.client.workflow.getHandle(sliceWorkflowId(batchId, 0, 1)).terminate('a test');
    expect(await product.result(batchId)).toBe('closed');
    expect(await states(batchId)).toEqual({ a: 'delivered', b: 'delivered' });
    expect(product.studio.books().creates).toHaveLength(2);
  });
});

async function cancel(batchId: string, rowKeys: readonly string[] | 'all'): Promise<void> {
  const act = { batchId, rowKeys, actor: submitter, reason: 'a test', nowMs: product.nowMs() };
  await requestCancel(product.ledger, act);
}
