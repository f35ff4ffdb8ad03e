import { MockActivityEnvironment } from '@temporalio/testing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { maxConcurrentOrders } from '../../activities/order.js';
import type { Movie } from '../../api/contract.js';
import { MovieApiError } from '../../api/errors.js';
import type { MovieApi } from '../../api/movie-api.js';
import { type Ledger, openLedger } from '../../ledger/ledger.js';
import { listEntries } from '../../ledger/money/entries.js';
import { type Scene, setTheScene } from '../ledger/scene.js';
import { expectSoundBooks } from '../ledger/sound.js';
import { orderDeps } from './order-deps.js';

let ledger: Ledger;
let scene: Scene;
let batchId: string;
/** What the service does with a row's create; without an entry it makes the movie. */
const creates = new Map<string, () => Promise<Movie>>();
let sent: string[];

beforeEach(async () => {
  creates.clear();
  sent = [];
  ledger = await openLedger({ url: 'sqlite::memory:' });
  scene = setTheScene(ledger);
  await scene.fund('acme', 100_000);
  batchId = await scene.make(['a', 'b', 'c']);
});
afterEach(() => ledger.close());

const busy = () =>
  Promise.reject(
    new MovieApiError('the service is busy', {
      ...{ operation: 'createMovie', status: 429, code: 'rate_limited', requestId: 'req_1', retryAfterMs: 7_000 },
    }),
  );

/** The orders of one worker; each call is an attempt. */
function worker() {
  const createMovie = async (body: string) => {
    const rowKey = /take (\w+)/.exec(body)?.[1] ?? '';
    sent.push(rowKey);
    return creates.get(rowKey)?.() ?? ({ id: `movie_${rowKey}`, status: 'queued' } as Movie);
  };
  const { order: act } = orderDeps(scene, { ledger, api: { createMovie } as unknown as MovieApi });
  return (rowKeys: readonly string[], environment = new MockActivityEnvironment()) =>
    environment.run(act as (...args: unknown[]) => Promise<unknown>, batchId, rowKeys);
}
const order = (rowKeys: readonly string[], environment?: MockActivityEnvironment) => worker()(rowKeys, environment);

const holds = async () =>
  (await listEntries(ledger, { batchId, limit: 100 })).filter(({ kind }) => kind === 'hold').length;
const running = (rowKey: string) => ({ rowKey, outcome: 'running' });

test('rows that are ordered together each get a hold and a create of their own', async () => {
  expect(await order(['a', 'b', 'c'])).toMatchObject({ ordered: ['a', 'b', 'c'].map(running), later: [] });
  expect(sent.toSorted()).toEqual(['a', 'b', 'c']);
  expect(await holds()).toBe(3);
  await expectSoundBooks(ledger);
});

test('a row that the service puts off holds up no other, and waits by itself from then on', async () => {
  creates.set('b', busy);
  expect(await order(['a', 'b', 'c'])).toMatchObject({
    ordered: [running('a'), running('c')],
    later: [{ rowKey: 'b', delayMs: 7_000 }],
  });
  await expect(order(['b'])).rejects.toMatchObject({ type: 'NotReady', nextRetryDelay: 7_000 });
  scene.nowMs += 7_000;
  creates.clear();
  expect(await order(['b'])).toMatchObject({ ordered: [running('b')], later: [] });
  expect(sent.filter((rowKey) => rowKey === 'b')).toHaveLength(2);
  expect(await holds()).toBe(3);
  await expectSoundBooks(ledger);
});

test('a fault nobody foresaw holds up no other, and shows itself when the row is alone', async () => {
  creates.set('b', () => Promise.reject(new TypeError('nobody thought of this')));
  expect(await order(['a', 'b', 'c'])).toMatchObject({
    ordered: [running('a'), running('c')],
    later: [{ rowKey: 'b', delayMs: 1_000 }],
  });
  await expect(order(['b'])).rejects.toThrow('nobody thought of this');
  creates.clear();
  expect(await order(['b'])).toMatchObject({ ordered: [running('b')], later: [] });
  expect(await holds()).toBe(3);
  await expectSoundBooks(ledger);
});

test('an attempt that is cut short answers nothing, and the next one finds what was ordered', async () => {
  const environment = new MockActivityEnvironment();
  creates.set('b', async () => {
    environment.cancel();
    throw new DOMException('cut short', 'AbortError');
  });
  await expect(order(['a', 'b', 'c'], environment)).rejects.toThrow();
  creates.clear();
  expect(await order(['a', 'b', 'c'])).toMatchObject({ ordered: ['a', 'b', 'c'].map(running), later: [] });
  expect(sent.toSorted()).toEqual(['a', 'b', 'b', 'c']);
  expect(await holds()).toBe(3);
  await expectSoundBooks(ledger);
});

describe('of many rows', () => {
  const many = Array.from({ length: maxConcurrentOrders + 8 }, (_, index) => `r${index}`);
  let answer: () => void;
  beforeEach(async () => {
    batchId = await scene.make(many);
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    for (const rowKey of many) {
      creates.set(rowKey, async () => {
        await answered;
        return { id: `movie_${rowKey}`, status: 'queued' } as Movie;
      });
    }
  });
  const until = (rows: number) => vi.waitFor(() => expect(sent).toHaveLength(rows));

  test('only those that leave now are admitted: a crash leaves no more in doubt', async () => {
    const ordering = order(many);
    await until(maxConcurrentOrders);
    expect(await holds()).toBe(maxConcurrentOrders);
    answer();
    expect(await ordering).toMatchObject({ ordered: many.map(running), later: [] });
    expect(await holds()).toBe(many.length);
    await expectSoundBooks(ledger);
  });

  test('those whose turn comes after their attempt was cut short do not leave, and the next attempt orders them', async () => {
    const environment = new MockActivityEnvironment();
    const ordering = order(many, environment);
    await until(maxConcurrentOrders);
    environment.cancel();
    answer();
    await expect(ordering).rejects.toThrow();
    expect(sent).toHaveLength(maxConcurrentOrders);
    expect(await order(many)).toMatchObject({ ordered: many.map(running), later: [] });
    expect(sent).toHaveLength(many.length);
    await expectSoundBooks(ledger);
  });

  test('an attempt that joins one which is cut short is told to come again', async () => {
    const environment = new MockActivityEnvironment();
    const attempt = worker();
    const cutShort = attempt(many, environment);
    await until(maxConcurrentOrders);
    const joined = attempt([many.at(-1) ?? '']);
    environment.cancel();
    answer();
    await expect(cutShort).rejects.toThrow();
    await expect(joined).rejects.toMatchObject({ type: 'NotReady', nextRetryDelay: 1_000 });
  });
});

test('rows that may not be ordered now, or never, are told apart from those that are', async () => {
  await ledger.db.updateTable('services').set({ max_in_flight: 1 }).execute();
  expect(await order(['a'])).toMatchObject({ ordered: [running('a')] });
  expect(await order(['a', 'b'])).toMatchObject({
    ordered: [running('a'), { rowKey: 'b', outcome: 'blocked' }],
    later: [],
  });
  expect(sent).toEqual(['a']);
});

test('between a send and the record of its answer the ledger is asked nothing that could lose the answer', async () => {
  creates.set('a', async () => {
    await ledger.db.schema.dropTable('run_times').execute();
    return { id: 'movie_a', status: 'queued' } as Movie;
  });
  expect(await order(['a'])).toMatchObject({ ordered: [running('a')] });
  expect(await scene.row(batchId, 'a')).toMatchObject({ state: 'running', movieId: 'movie_a' });
});
