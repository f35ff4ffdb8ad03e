import { afterEach, expect, test } from 'vitest';
import { brief } from './product.js';
import { type Scene, startScene } from './scene.js';

let scene: Scene;
afterEach(() => scene?.close());

test(
  'slices stand among those of other batches by their campaign and their priority',
  { timeout: 120_000 },
  async () => {
    scene = await startScene({ server: 'dev' });
    const urgent = await scene.making([brief('a')], { priority: 1 });
    const usual = await scene.making([brief('b')]);
    for (const batchId of [urgent, usual]) expect(await scene.result(batchId)).toBe('closed');
    const priorityOf = async (batchId: string) =>
      (await scene.env.client.workflow.getHandle(scene.names.slice(batchId, 0, 1)).describe()).raw.workflowExecutionInfo
        ?.priority;
    expect(await priorityOf(urgent)).toMatchObject({ priorityKey: 1, fairnessKey: 'spring' });
    expect(await priorityOf(usual)).toMatchObject({ fairnessKey: 'spring' });
    expect((await priorityOf(usual))?.priorityKey ?? 0).not.toBe(1);
  },
);
