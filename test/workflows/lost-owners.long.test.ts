import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { readBatch } from '../../ledger/batches/batches.js';
import { listEntries } from '../../ledger/money/entries.js';
import { expectSoundBooks } from '../ledger/sound.js';
import { brief } from './product.js';
import { type Scene, startScene } from './scene.js';

let scene: Scene;
afterEach(() => scene?.close());

/** Two movies at the service, and the slice that follows them. */
async function twoRunning(): Promise<string> {
  scene = await startScene({ server: 'dev', studio: { jobSeconds: 4 } });
  const batchId = await scene.making([brief('a'), brief('b')]);
  await scene.inState(batchId, 'a', 'running');
  await scene.inState(batchId, 'b', 'running');
  return batchId;
}

/** Both movies are there, each was ordered, held and paid once, and the books add up. */
async function expectMadeOnce(batchId: string): Promise<void> {
  expect(await scene.states(batchId)).toEqual({ a: 'delivered', b: 'delivered' });
  expect((await readBatch(scene.ledger, batchId)).state).toBe('closed');
  expect(scene.studio.books().creates).toHaveLength(2);
  const kinds = (await listEntries(scene.ledger, { batchId, limit: 100 })).map(({ kind }) => kind);
  expect(kinds.toSorted()).toEqual(['commit', 'hold', 'hold', 'post', 'post']);
  await expectSoundBooks(scene.ledger);
}

describe('what an operator may do in Temporal, on a real server', () => {
  test('a slice that is reset to before its orders finds them done', async () => {
    const batchId = await twoRunning();
    const workflowId = scene.names.slice(batchId, 0, 1);
    const { client } = scene.env;
    const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
    const firstTask = events?.find(({ eventType }) => Number(eventType) === workflowTaskCompleted);
    const ordered = events?.filter(
      (event) => event.activityTaskScheduledEventAttributes?.activityType?.name === 'order',
    );
    expect(ordered).toHaveLength(1); // both rows together
    const { runId } = await client.workflowService.resetWorkflowExecution({
      ...{ namespace: 'default', workflowExecution: { workflowId }, reason: 'a test', requestId: randomUUID() },
      workflowTaskFinishEventId: firstTask?.eventId ?? null,
    });
    await client.workflow.getHandle(workflowId, runId).result();
    expect(await scene.result(batchId)).toBe('closed');
    await expectMadeOnce(batchId);
  });

  test('a batch that is terminated and deleted is begun again by reconcile, and ends as it would have', async () => {
    const batchId = await twoRunning();
    const handle = scene.env.client.workflow.getHandle(scene.names.batch(batchId));
    await handle.terminate('a test');
    await deleted(scene.names.batch(batchId));
    await deleted(scene.names.slice(batchId, 0, 1));
    expect(await scene.reconcile()).toBe(1);
    expect(await scene.result(batchId)).toBe('closed');
    await expectMadeOnce(batchId);
    expect(await scene.reconcile()).toBe(0);
  });

  test('a batch that is approved after its workflow was terminated is made all the same', async () => {
    scene = await startScene({ server: 'dev' });
    const batchId = await scene.submit([brief('a'), brief('b')]);
    await scene.start(batchId);
    await scene.waiting(batchId);
    await scene.env.client.workflow.getHandle(scene.names.batch(batchId)).terminate('a test');
    await scene.approve(batchId);
    expect(scene.studio.books().creates).toEqual([]);
    expect(await scene.reconcile()).toBe(1);
    expect(await scene.result(batchId)).toBe('closed');
    await expectMadeOnce(batchId);
  });
});

/** temporal.api.enums.v1.EventType */
const workflowTaskCompleted = 7;

/** Deletes a workflow, and waits until the server knows nothing of it. */
async function deleted(workflowId: string): Promise<void> {
  const { workflowService } = scene.env.client;
  const execution = { namespace: 'default', workflowExecution: { workflowId } };
  await workflowService.deleteWorkflowExecution(execution);
  await vi.waitFor(() => expect(scene.env.client.workflow.getHandle(workflowId).describe()).rejects.toThrow(), {
    timeout: 60_000,
    interval: 50,
  });
}
