import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { listAudit } from '../../ledger/access/audit.js';
import { readBatch } from '../../ledger/batches/batches.js';
import { brief } from './product.js';
import { type Scene, startScene } from './scene.js';

const rows = ['a', 'b', 'c'];
const codeOf = (name: string) => fileURLToPath(new URL(`deployed/${name}.ts`, import.meta.url));

let scene: Scene;
afterEach(() => scene?.close());

/** A batch with movies in the making, one row still waiting for its turn. */
async function inTheMaking(): Promise<string> {
  scene = await startScene({ server: 'dev', studio: { jobSeconds: 4 } });
  const batchId = await scene.making(
    rows.map((row) => brief(row)),
    { maxInFlight: 2 },
  );
  for (const row of ['a', 'b']) await scene.inState(batchId, row, 'running');
  return batchId;
}

async function expectDelivered(batchId: string): Promise<void> {
  expect(await scene.states(batchId)).toEqual({ a: 'delivered', b: 'delivered', c: 'delivered' });
  expect(scene.studio.books().creates).toHaveLength(3);
  expect(await readBatch(scene.ledger, batchId)).toMatchObject({ state: 'closed', stateReason: null });
}

const restarts = async (batchId: string) =>
  (await listAudit(scene.ledger, { object: batchId, limit: 100 })).filter(({ act }) => act === 'restart');

describe('workflow code that changes under a batch, on a real server', () => {
  test('a slice that does not fit it is started again, its rows are delivered, and the batch says so', async () => {
    const batchId = await inTheMaking();
    await scene.deploy(codeOf('other-slice'));
    await scene.nudge(batchId);
    await vi.waitFor(
      async () => expect((await readBatch(scene.ledger, batchId)).stateReason).toContain('slice 0 could not go on'),
      { timeout: 60_000, interval: 50 },
    );
    expect(await scene.result(batchId)).toBe('closed');
    await expectDelivered(batchId);
    expect(await restarts(batchId)).toHaveLength(1);
    const handle = (start: number) => scene.env.client.workflow.getHandle(scene.names.slice(batchId, 0, start));
    expect((await handle(1).describe()).status.name).toBe('FAILED');
    expect((await handle(2).describe()).status.name).toBe('COMPLETED');
  });

  test('a batch that does not fit it is started again by reconcile, and says so', async () => {
    const batchId = await inTheMaking();
    await scene.deploy(codeOf('other-batch'));
    await scene.nudge(batchId);
    const batch = scene.env.client.workflow.getHandle(scene.names.batch(batchId));
    await vi.waitFor(async () => expect((await batch.describe()).status.name).toBe('FAILED'), {
      ...{ timeout: 60_000, interval: 50 },
    });
    expect(await scene.reconcile()).toBe(1);
    expect((await readBatch(scene.ledger, batchId)).stateReason).toContain('cannot continue it');
    expect(await scene.result(batchId)).toBe('closed');
    await expectDelivered(batchId);
    expect(await restarts(batchId)).toHaveLength(1);
  });

  test('slices and batch that do not fit it: all is started again, and delivered', async () => {
    const batchId = await inTheMaking();
    await scene.deploy(codeOf('other-both'));
    await scene.nudge(batchId);
    const batch = scene.env.client.workflow.getHandle(scene.names.batch(batchId));
    await vi.waitFor(async () => expect((await batch.describe()).status.name).toBe('FAILED'), {
      ...{ timeout: 60_000, interval: 50 },
    });
    expect(await scene.reconcile()).toBe(1);
    expect(await scene.result(batchId)).toBe('closed');
    await expectDelivered(batchId);
    expect(scene.events.filter(({ kind }) => kind === 'restarted')).toHaveLength((await restarts(batchId)).length);
  });
});
