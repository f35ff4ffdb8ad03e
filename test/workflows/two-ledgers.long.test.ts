import { expect, onTestFinished, test } from 'vitest';
import { readBatch } from '../../ledger/batches/batches.js';
import { brief, startServer } from './product.js';
import { type Scene, startScene } from './scene.js';

test('two ledgers with a batch of the same name in one namespace: both deliver, each its own', async () => {
  const on = await startServer({ server: 'dev' });
  onTestFinished(() => on.teardown());
  const scenes = await Promise.all([startScene({ server: 'dev', on }), startScene({ server: 'dev', on })]);
  const [first, second] = scenes as [Scene, Scene];
  onTestFinished(async () => {
    for (const scene of scenes) await scene.close();
  });
  const batches = await Promise.all([
    first.making(['a', 'b'].map((row) => brief(row))),
    second.making(['c', 'd', 'e'].map((row) => brief(row))),
  ]);
  expect(batches[0]).toBe(batches[1]);
  for (const scene of scenes) expect(await scene.reconcile()).toBeGreaterThanOrEqual(0);
  for (const scene of scenes) {
    expect(await scene.result(batches[0])).toBe('closed');
    expect(await readBatch(scene.ledger, batches[0])).toMatchObject({ state: 'closed', stateReason: null });
  }
  expect(await first.states(batches[0])).toEqual({ a: 'delivered', b: 'delivered' });
  expect(await second.states(batches[0])).toEqual({ c: 'delivered', d: 'delivered', e: 'delivered' });
  expect(scenes.map(({ studio }) => studio.books().creates.length)).toEqual([2, 3]);
});
