import { afterEach, expect, test } from 'vitest';
import { notReady } from '../../activities/failures.js';
import { readRow } from '../../ledger/batches/rows.js';
import { brief } from './product.js';
import { type Scene, startScene } from './scene.js';

const minuteMs = 60_000;
let scene: Scene;
afterEach(() => scene?.close());

/**
 * Which rows each call of `archive` was for, in order. The follower answers when `together` rows ended: on a skipped
 * clock it would see them one by one.
 */
async function recording(together: number, studio: NonNullable<Parameters<typeof startScene>[0]>['studio'] = {}) {
  const calls: (readonly string[])[] = [];
  scene = await startScene({
    studio: { jobSeconds: 60, ...studio },
    activities: ({ archive, follow }) => ({
      follow: async (batchId, slice, seen) => {
        const ends = await follow(batchId, slice, seen);
        if (ends.ended.length < together) throw notReady('the others are not there yet', 5_000);
        return ends;
      },
      archive: (batchId, rowKeys) => {
        calls.push(rowKeys);
        return archive(batchId, rowKeys);
      },
    }),
  });
  return calls;
}

test('movies that end together are saved together, fifty a call', async () => {
  const calls = await recording(52);
  const keys = Array.from({ length: 52 }, (_, index) => `m${index}`);
  const batchId = await scene.making(keys.map((key) => brief(key)));
  expect(await scene.result(batchId)).toBe('closed');
  expect(Object.values(await scene.states(batchId))).toEqual(Array(52).fill('delivered'));
  expect(calls.flat().sort()).toEqual([...keys].sort());
  expect(calls.map(({ length }) => length).sort((a, b) => a - b)).toEqual([2, 50]);
});

test('a movie whose files cannot be had keeps none of the others, and is tried by itself until they can', async () => {
  const away = {
    effect: 'status',
    operation: 'listAssets',
    status: 503,
    prompt: 'stuck',
    calls: { to: 20 },
  } as const;
  const calls = await recording(3, { faults: { rules: [away] } });
  const batchId = await scene.making([brief('a'), brief('stuck'), brief('b')]);
  expect(await scene.result(batchId)).toBe('closed');
  const savedAfterMs = async (rowKey: string) => {
    const { state, endedAtMs, orderedAtMs } = await readRow(scene.ledger, batchId, rowKey);
    expect(state).toBe('delivered');
    return (endedAtMs ?? 0) - (orderedAtMs ?? 0) - minuteMs;
  };
  for (const rowKey of ['a', 'b']) expect(await savedAfterMs(rowKey)).toBeLessThan(minuteMs);
  expect(await savedAfterMs('stuck')).toBeGreaterThanOrEqual(20 * 30_000);
  const [together = [], ...alone] = calls;
  expect([...together].sort()).toEqual(['a', 'b', 'stuck']);
  expect(alone).toEqual(Array(20).fill(['stuck']));
});

test('a wait that the service asks for is kept by a movie that was saved among others', async () => {
  const busy = { effect: 'status', operation: 'listAssets', status: 429, retryAfter: 240, prompt: 'busy' } as const;
  await recording(2, { faults: { rules: [{ ...busy, calls: 1 }] } });
  const batchId = await scene.making([brief('a'), brief('busy')]);
  expect(await scene.result(batchId)).toBe('closed');
  const { state, endedAtMs, orderedAtMs } = await readRow(scene.ledger, batchId, 'busy');
  expect(state).toBe('delivered');
  expect((endedAtMs ?? 0) - (orderedAtMs ?? 0)).toBeGreaterThanOrEqual(minuteMs + 240_000);
});

test('where files cannot be saved, movies are ordered only so far, and all are saved in the end', async () => {
  const away = { effect: 'status', operation: 'listAssets', status: 503, calls: { to: 500 } } as const;
  const studio = { jobSeconds: 60, faults: { rules: [away] } };
  scene = await startScene({ studio, rowsPerSlice: 2, maxInFlight: 2 });
  const keys = Array.from({ length: 12 }, (_, index) => `m${index}`);
  const batchId = await scene.making(keys.map((key) => brief(key)));
  await scene.env.sleep('15 minutes');
  // Two slices in the making, and as many whose movies have ended: the fifth does not begin.
  expect(scene.studio.books().creates).toHaveLength(8);
  expect(await scene.result(batchId)).toBe('closed');
  expect(Object.values(await scene.states(batchId))).toEqual(Array(12).fill('delivered'));
  expect(scene.studio.books().creates).toHaveLength(12);
});

test('the next slice begins when half of one has ended, and does not wait for its last movie', async () => {
  const studio = { jobSeconds: 60, faults: { rules: [{ effect: 'stuck', prompt: 'stuck' } as const] } };
  scene = await startScene({ studio, rowsPerSlice: 4, maxInFlight: 4 });
  const stuck = ['stuck-0', 'stuck-1'];
  const slices = [
    [stuck[0], 'a', 'b', 'c'],
    [stuck[1], 'd', 'e', 'f'],
    ['g', 'h', 'i', 'j'],
  ] as string[][];
  const batchId = await scene.making(slices.flat().map((key) => brief(key)));
  await scene.env.sleep('20 minutes');
  const states = await scene.states(batchId);
  expect(slices[2]?.map((key) => states[key])).toEqual(Array(4).fill('delivered'));
  expect(stuck.map((key) => states[key])).toEqual(['running', 'running']);
  await scene.cancel(batchId, stuck);
  expect(await scene.result(batchId)).toBe('closed');
});

test.each([
  ['at once and together, on the queue of the workflows', undefined, ['']],
  ['each by itself on a queue of their own when they keep to a rate', 1_000, ['-order', '-order']],
])('orders go %s', async (_, ordersPerSecond, expected) => {
  scene = await startScene({ server: 'dev', ...(ordersPerSecond !== undefined && { ordersPerSecond }) });
  const batchId = await scene.making([brief('a'), brief('b')]);
  expect(await scene.result(batchId)).toBe('closed');
  const { events } = await scene.env.client.workflow.getHandle(scene.names.slice(batchId, 0, 1)).fetchHistory();
  const queues = (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled?.activityType?.name === 'order'
      ? [scheduled.taskQueue?.name?.replace(scene.names.workflowQueue, '')]
      : [],
  );
  expect(queues).toEqual(expected);
});
