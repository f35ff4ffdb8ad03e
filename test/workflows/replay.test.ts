import { expect, onTestFinished, test } from 'vitest';
import { brief } from './product.js';
import { failedReplays, historiesFrom } from './replay.js';
import { startScene } from './scene.js';

test('a batch and its slices replay from their histories, and a history of other decisions does not', async () => {
  const scene = await startScene();
  onTestFinished(() => scene.close());
  const batchId = await scene.making([brief('a'), brief('b')]);
  expect(await scene.result(batchId)).toBe('closed');
  const histories = await historiesFrom(scene.env.client, scene.names.batch(batchId));
  expect(histories.length).toBeGreaterThan(1);
  expect(await failedReplays(histories)).toEqual([]);

  const slice = histories.find(({ workflowId }) => workflowId.includes('/slice/'));
  const order = slice?.history.events?.find(
    ({ activityTaskScheduledEventAttributes: activity }) => activity?.activityType?.name === 'order',
  );
  if (!order?.activityTaskScheduledEventAttributes) throw new Error('Cannot test replays: the slice ordered nothing');
  order.activityTaskScheduledEventAttributes.activityType = { name: 'follow' };
  expect(await failedReplays(histories)).toEqual([expect.stringContaining(slice?.workflowId ?? 'no slice')]);
});
