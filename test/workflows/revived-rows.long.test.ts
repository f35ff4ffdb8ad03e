import { EventEmitter, once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { readRow } from '../../ledger/batches/rows.js';
import { admitRow } from '../../ledger/orders/admission.js';
import { recordAnswer } from '../../ledger/orders/record-answer.js';
import { resolveUnknown } from '../../ledger/orders/resolve-unknown.js';
import { takeUpSignal } from '../../workflows/names.js';
import { brief, submitter } from './product.js';
import { type Scene, startScene } from './scene.js';

/** The movie of an order whose answer could not be read: its row is unknown, and its slice is done with it. */
async function orderUnreadably({ ledger, api }: Scene, batchId: string): Promise<string> {
  const service = { name: 'studio', baseUrl: 'embedded', rehearsal: true };
  const admission = await admitRow(ledger, { batchId, rowKey: 'a', service });
  if (admission.kind !== 'send') throw new Error(`Cannot order a: it is ${admission.kind}`);
  const { attempt, send, idempotencyKey, requestBody } = admission;
  const { id } = await api.createMovie(requestBody, { idempotencyKey });
  await recordAnswer(ledger, { batchId, rowKey: 'a', attempt, send, answer: { kind: 'broken' }, followInMs: 1_000 });
  return id;
}

test.each([
  ['the slice that is busy with others', 100],
  ['a slice of its own that has ended', 1],
])(
  'a row that is resolved holds the only place: it is followed, in %s',
  { timeout: 120_000 },
  async (_, rowsPerSlice) => {
    let movieId: string | undefined;
    const resolved = new EventEmitter();
    const isResolved = once(resolved, 'yes');
    const scene: Scene = await startScene({
      ...{ server: 'dev', studio: { jobSeconds: 1 }, rowsPerSlice },
      activities: (real) => ({
        async order(batchId, rowKeys) {
          if (rowKeys.includes('a')) movieId ??= await orderUnreadably(scene, batchId);
          else await isResolved;
          return real.order(batchId, rowKeys);
        },
      }),
    });
    onTestFinished(() => scene.close());
    const { ledger, nowMs } = scene;
    const batchId = await scene.making([brief('a'), brief('b')], { maxInFlight: 1 });
    await scene.inState(batchId, 'a', 'unknown');
    const resolution = { kind: 'created', movieId: movieId ?? '' } as const;
    const movie = await scene.api.getMovie(resolution.movieId);
    await resolveUnknown(ledger, { batchId, rowKey: 'a', resolution, movie, actor: submitter, nowMs: nowMs() });
    expect((await readRow(ledger, batchId, 'a')).state).toBe('running');
    resolved.emit('yes');
    await scene.inState(batchId, 'b', 'blocked');
    await scene.env.client.workflow.getHandle(scene.names.batch(batchId)).signal(takeUpSignal);
    expect(await scene.result(batchId)).toBe('closed');
    expect(await scene.states(batchId)).toEqual({ a: 'delivered', b: 'delivered' });
    expect(scene.studio.books().creates).toHaveLength(2);
  },
);

test(
  'a batch that is started again takes up first the slices whose rows hold places',
  { timeout: 120_000 },
  async () => {
    const scene: Scene = await startScene({
      ...{ server: 'dev', studio: { jobSeconds: 1 }, rowsPerSlice: 1 },
      activities: (real) => ({
        // As an earlier start left it: of the last slice, while all before it have still to be ordered.
        async cutSlices(batchId) {
          await real.cutSlices(batchId);
          await real.order(batchId, ['e']);
          return real.cutSlices(batchId);
        },
      }),
    });
    onTestFinished(() => scene.close());
    const keys = ['a', 'b', 'c', 'd', 'e'];
    const batchId = await scene.making(
      keys.map((key) => brief(key)),
      { maxInFlight: 1 },
    );
    expect(await scene.result(batchId)).toBe('closed');
    expect(await scene.states(batchId)).toEqual(Object.fromEntries(keys.map((key) => [key, 'delivered'])));
    expect(scene.studio.books().creates).toHaveLength(keys.length);
  },
);
