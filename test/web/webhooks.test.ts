import { afterEach, describe, expect, test } from 'vitest';
import { readRow } from '../../ledger/rows.js';
import type { FaultScript } from '../../studio/faults/script.js';
import { sliceWorkflowId } from '../../workflows/names.js';
import { brief, type ProductOptions } from '../workflows/product.js';
import { type Scene, startScene } from '../workflows/scene.js';

const slow = { timeout: 120_000 };
const secret = `whsec_${Buffer.from('the secret of the studio').toString('base64')}`;
/** Polling alone would not end a movie within the time that a test has. */
const far = { floorMs: 3_600_000, ceilingMs: 3_600_000 };

let scene: Scene;
afterEach(() => scene?.close());

const started = async (options: ProductOptions) => {
  scene = await startScene({ server: 'dev', webhooks: { secret, checked: true }, ...options });
};
const looks = () => scene.studio.books().requests.filter(({ operation }) => operation === 'getMovie');

describe('events of the service, on a real server', () => {
  test('end a movie whose next poll is an hour away, by one look', slow, async () => {
    await started({ polling: far, studio: { jobSeconds: 4 } });
    const batchId = await scene.making([brief('a')]);
    await scene.inState(batchId, 'a', 'running');
    expect(await scene.result(batchId)).toBe('closed');
    expect(await scene.states(batchId)).toEqual({ a: 'delivered' });
    expect(looks()).toHaveLength(1);
    expect(scene.studio.books().creates).toHaveLength(1);
  });

  test('of movies that end together wake their slice a few times, not once each', slow, async () => {
    await started({ polling: far, studio: { jobSeconds: 6 } });
    const keys = Array.from({ length: 30 }, (_, n) => `row-${n}`);
    const batchId = await scene.making(keys.map((key) => brief(key)));
    expect(await scene.result(batchId)).toBe('closed');
    expect(new Set(Object.values(await scene.states(batchId)))).toEqual(new Set(['delivered']));
    expect(looks()).toHaveLength(keys.length);
    const { events } = await scene.env.client.workflow.getHandle(sliceWorkflowId(batchId, 0, 1)).fetchHistory();
    const woken = (events ?? []).filter(({ workflowExecutionSignaledEventAttributes: signal }) => signal != null);
    expect(woken.length).toBeGreaterThan(0);
    expect(woken.length).toBeLessThan(keys.length / 2);
  });

  test.each(['twice', 'out_of_order', 'forged'] as const)('sent %s end each row with one movie', slow, async (mode) => {
    await started({ polling: far, studio: { jobSeconds: 4, faults: misbehaving(mode) } });
    await expectAllDelivered();
  });

  test('that never come leave it to polling', slow, async () => {
    await started({ studio: { jobSeconds: 2, faults: misbehaving('none') } });
    await expectAllDelivered();
    expect(scene.studio.books().deliveries).toEqual([]);
  });

  test('that lie where no secret is set cost a look, and the movie is awaited all the same', slow, async () => {
    await started({
      webhooks: { secret, checked: false },
      polling: far,
      studio: { jobSeconds: 4, faults: misbehaving('forged') },
    });
    await expectAllDelivered();
  });
});

test('an address that the service refuses shows in the prices, before anything can be approved', slow, async () => {
  await started({ studio: { webhooks: { secret, allowLoopback: false } } });
  const batchId = await scene.submit([brief('a')]);
  await scene.start(batchId);
  expect(await scene.result(batchId)).toBe('refused');
  const { estimateProblem } = await readRow(scene.ledger, batchId, 'a');
  expect(estimateProblem).toContain('webhook_url: must not be an address of this machine');
  expect(scene.studio.books().creates).toEqual([]);
});

function misbehaving(mode: 'none' | 'twice' | 'out_of_order' | 'forged'): FaultScript {
  return { rules: [{ effect: 'webhook', mode }] };
}

/** One movie for each row, nothing lost, and the money of one create for each. */
async function expectAllDelivered(): Promise<void> {
  const batchId = await scene.making([brief('a'), brief('b'), brief('c')]);
  expect(await scene.result(batchId)).toBe('closed');
  expect(await scene.states(batchId)).toEqual({ a: 'delivered', b: 'delivered', c: 'delivered' });
  const { creates, movies } = scene.studio.books();
  expect(creates).toHaveLength(3);
  expect(movies.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
}
