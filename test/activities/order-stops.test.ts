import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { MockActivityEnvironment } from '@temporalio/testing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { maxConcurrentOrders } from '../../activities/order.js';
import type { Movie } from '../../api/contract.js';
import { ConnectionError } from '../../api/errors.js';
import type { MovieApi } from '../../api/movie-api.js';
import { type Ledger, openLedger } from '../../ledger/ledger.js';
import { startBudget, stopBudget } from '../../ledger/money/budgets.js';
import { requestCancel } from '../../ledger/progress/cancels.js';
import { continueBatch, pauseBatch, resumeBatch } from '../../ledger/stops/stops.js';
import type { Books } from '../../studio/books.js';
import { fay, movieId, oli, type Scene, setTheScene } from '../ledger/scene.js';
import { expectSoundBooks } from '../ledger/sound.js';
import { brokenPromises } from '../oracle.js';
import { orderDeps } from './order-deps.js';

/** Their first answers were lost, and their repeats are due. */
const repeated = ['p', 'q', 'r', 's'];
const fresh = Array.from({ length: maxConcurrentOrders }, (_, index) => `r${index}`);

let ledger: Ledger;
let scene: Scene;
let batchId: string;
let creates: Books['creates'][number][];
/** What the service does; without it, it makes the movie. */
let service: ((rowKey: string) => Promise<void>) | null;
/** Every POST that began. */
let posts: string[];
/** What stands between an admission and its bytes. */
let mark: Promise<void> | null;
let marks: number;

beforeEach(async () => {
  [creates, service, posts, mark, marks] = [[], null, [], null, 0];
  ledger = await openLedger({ url: 'sqlite::memory:', seed: { solo: false } });
  scene = setTheScene(ledger);
  await scene.fund('acme', 100_000);
  batchId = await scene.make([...repeated, ...fresh, 'last'], { settings: { tolerance: 0 } });
  service = () => Promise.reject(lost());
  await order(repeated);
  scene.nowMs += 60_000;
  [service, posts] = [null, []];
});
afterEach(async () => {
  await expectSoundBooks(ledger);
  expect(await brokenPromises({ ledger, books: { creates, movies: [] }, archiveFolder: tmpdir() })).toEqual([]);
  await ledger.close();
});

const lost = () => new ConnectionError('cut', { operation: 'createMovie', sent: 'maybe', reason: 'reset' });
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  const opening = new AbortController();
  const opened = new Promise<void>((resolve) => opening.signal.addEventListener('abort', () => resolve()));
  return { opened, open: () => opening.abort() };
}

async function createMovie(body: string, { idempotencyKey }: { readonly idempotencyKey: string }): Promise<Movie> {
  const rowKey = /take (\w+)/.exec(body)?.[1] ?? '';
  posts.push(rowKey);
  await service?.(rowKey);
  const known = creates.find((create) => create.idempotencyKey === idempotencyKey);
  const id = known?.movieId ?? movieId();
  const bodyDigest = createHash('sha256').update(body).digest('hex');
  if (!known) {
    creates.push({
      ...{ movieId: id, key: 'k', idempotencyKey, bodyDigest, amountMinor: 100, currency: 'USD', atMs: 0 },
    });
  }
  return { id, status: 'queued' } as Movie;
}

/** The orders of a worker of its own. */
function order(rowKeys: readonly string[]): Promise<unknown> {
  const markArchive = async () => {
    marks += 1;
    await mark;
  };
  const { order: act } = orderDeps(scene, { ledger, api: { createMovie } as unknown as MovieApi, markArchive });
  return new MockActivityEnvironment().run(act as (...args: unknown[]) => Promise<unknown>, batchId, rowKeys);
}

const by = () => ({ batchId, actor: oli, nowMs: scene.nowMs });
const budget = () => ({ path: 'acme', actor: fay, nowMs: scene.nowMs });

interface Stop {
  readonly begin: () => Promise<unknown>;
  readonly end: () => Promise<unknown>;
}

const stops: Readonly<Record<string, Stop>> = {
  'budget stop': { begin: () => stopBudget(ledger, budget()), end: () => startBudget(ledger, budget()) },
  pause: { begin: () => pauseBatch(ledger, by()), end: () => resumeBatch(ledger, by()) },
  trip: {
    begin: async () => {
      await scene.admit(batchId, 'last');
      await scene.answer(batchId, 'last', {
        ...{ kind: 'refused', status: 400, code: 'no', message: 'no', retryAfterMs: null },
      });
    },
    end: () => continueBatch(ledger, by()),
  },
};

describe.each(Object.entries(stops))('%s', (name, { begin, end }) => {
  test('sends that were admitted and had not begun stay here, and leave once after its end', async () => {
    const { opened, open } = gate();
    [mark, marks] = [opened, 0];
    const ordering = order([...fresh.slice(0, -4), ...repeated]);
    await vi.waitFor(() => expect(marks).toBe(maxConcurrentOrders));
    await begin();
    open();
    await ordering;
    expect(posts).toEqual([]);
    await order(fresh);
    await order(repeated);
    expect(posts, name).toEqual([]);
    expect(await scene.row(batchId, 'p')).toMatchObject({ state: 'ordering', money: 'held' });
    mark = null;
    await end();
    await order(fresh);
    await order(repeated);
    expect(posts.toSorted()).toEqual([...fresh, ...repeated].toSorted());
    expect(creates).toHaveLength(posts.length);
  });

  test('sends under way finish, their lost answers are not asked for again before its end', async () => {
    const { opened, open } = gate();
    service = async (rowKey) => {
      await opened;
      if (Number(rowKey.slice(1)) % 2 === 1) throw lost();
    };
    const ordering = order(fresh);
    await vi.waitFor(() => expect(posts).toHaveLength(maxConcurrentOrders));
    await begin();
    open();
    await ordering;
    service = null;
    posts = [];
    scene.nowMs += 60_000;
    await order(fresh);
    await order(repeated);
    expect(posts).toEqual([]);
    await end();
    await order(fresh);
    await order(repeated);
    const odd = fresh.filter((rowKey) => Number(rowKey.slice(1)) % 2 === 1);
    expect(posts.toSorted()).toEqual([...odd, ...repeated].toSorted());
  });
});

test('a cancel: what had not begun is over and costs nothing, what may have arrived stays unknown', async () => {
  const { opened, open } = gate();
  [mark, marks] = [opened, 0];
  const ordering = order([...fresh.slice(0, -4), ...repeated]);
  await vi.waitFor(() => expect(marks).toBe(maxConcurrentOrders));
  await requestCancel(ledger, { ...by(), rowKeys: 'all', reason: 'a test' });
  open();
  await ordering;
  await order(fresh);
  await order(repeated);
  expect(posts).toEqual([]);
  for (const rowKey of fresh.slice(0, -4)) {
    expect(await scene.row(batchId, rowKey), rowKey).toMatchObject({ state: 'canceled', money: 'released' });
  }
  for (const rowKey of repeated) {
    expect(await scene.row(batchId, rowKey), rowKey).toMatchObject({ state: 'unknown', money: 'held' });
  }
});
