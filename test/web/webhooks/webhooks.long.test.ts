import { afterEach, describe, expect, test, vi } from 'vitest';
import { readRow } from '../../../ledger/batches/rows.js';
import { brief, type ProductOptions } from '../../workflows/product.js';
import { type Scene, startScene } from '../../workflows/scene.js';

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
  test('end each movie by one look, sent once, twice, out of order or after a forgery', async () => {
    const modes = ['twice', 'out_of_order', 'forged'] as const;
    const rules = modes.map((mode) => ({ effect: 'webhook', mode, prompt: `take ${mode}$` }) as const);
    await started({ polling: far, studio: { jobSeconds: 5, faults: { rules } } });
    const batchId = await scene.making([brief('once'), ...modes.map((mode) => brief(mode))]);
    await expectAllDelivered(batchId);
    expect(looks()).toHaveLength(4);
    await vi.waitFor(() => {
      const ends = scene.studio.books().deliveries.filter(({ type }) => type === 'movie.completed');
      expect(ends.map(({ state }) => state).sort()).toEqual([...Array(5).fill('delivered'), 'waiting']);
    });
  });

  test('of movies that end together wake their slice a few times, not once each', async () => {
    await started({ polling: far, studio: { jobSeconds: 6 } });
    const keys = Array.from({ length: 30 }, (_, n) => `row-${n}`);
    const batchId = await scene.making(keys.map((key) => brief(key)));
    await expectAllDelivered(batchId);
    expect(looks()).toHaveLength(keys.length);
    const { events } = await scene.env.client.workflow.getHandle(scene.names.slice(batchId, 0, 1)).fetchHistory();
    const woken = (events ?? []).filter(({ workflowExecutionSignaledEventAttributes: signal }) => signal != null);
    expect(woken.length).toBeGreaterThan(0);
    expect(woken.length).toBeLessThan(keys.length / 2);
  });

  test('that never come leave it to polling', async () => {
    await started({ studio: { jobSeconds: 2, faults: { rules: [{ effect: 'webhook', mode: 'none' }] } } });
    await expectAllDelivered(await scene.making([brief('a'), brief('b')]));
    expect(scene.studio.books().deliveries).toEqual([]);
  });

  test('that lie where no secret is set cost a look, and the movie is awaited all the same', async () => {
    await started({
      webhooks: { secret, checked: false },
      polling: far,
      studio: { jobSeconds: 5, faults: { rules: [{ effect: 'webhook', mode: 'forged' }] } },
    });
    await expectAllDelivered(await scene.making([brief('a'), brief('b')]));
  });
});

test('an address that the service refuses shows in the prices, before anything can be approved', async () => {
  await started({ studio: { webhooks: { secret, allowLoopback: false } } });
  const batchId = await scene.submit([brief('a')]);
  await scene.start(batchId);
  expect(await scene.result(batchId)).toBe('refused');
  const { estimateProblem } = await readRow(scene.ledger, batchId, 'a');
  expect(estimateProblem).toContain('webhook_url: must not be an address of this machine');
  expect(scene.studio.books().creates).toEqual([]);
});

/** One movie for each row, each of them finished, and nothing lost. */
async function expectAllDelivered(batchId: string): Promise<void> {
  expect(await scene.result(batchId)).toBe('closed');
  const states = Object.values(await scene.states(batchId));
  expect(new Set(states)).toEqual(new Set(['delivered']));
  const { creates, movies } = scene.studio.books();
  expect(creates).toHaveLength(states.length);
  expect(movies.map(({ status }) => status)).toEqual(states.map(() => 'completed'));
}
