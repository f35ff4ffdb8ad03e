import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { expect, test } from 'vitest';
import type { Activities } from '../../activities/activities.js';
import type { ActivityDeps } from '../../activities/deps.js';
import { onlyOwnBatches } from '../../activities/own-service.js';

const own = '6f1c22aa-90b3-4c1d-8e2f-000000000001';
const workflows = { own: '6f1c22aa90b3/batch/spring-1', other: '0b5e9d17c4aa/batch/spring-1', old: 'batch/spring-1' };

async function asked(workflowId: string): Promise<{ readonly done: boolean; readonly error: unknown }> {
  let done = false;
  const reconcile = async () => {
    done = true;
    return 0;
  };
  const deps: Partial<ActivityDeps> = { ledger: { id: own } as ActivityDeps['ledger'] };
  const guarded = onlyOwnBatches({ reconcile } as Activities, deps as ActivityDeps); // all that is asked of it here
  const environment = new MockActivityEnvironment(
    { workflowExecution: { workflowId, runId: 'r' } },
    { logger: new DefaultLogger('ERROR', () => undefined) },
  );
  const error = await environment.run(guarded.reconcile).then(
    () => null,
    (reason: unknown) => reason,
  );
  return { done, error };
}

test('work of this ledger is done', async () => {
  expect(await asked(workflows.own)).toEqual({ done: true, error: null });
});

test.each([workflows.other, workflows.old])('work of %s is refused for good, and nothing of it is done', async (id) => {
  const { done, error } = await asked(id);
  expect(done).toBe(false);
  expect(error).toBeInstanceOf(ApplicationFailure);
  expect(error).toMatchObject({ nonRetryable: true, type: 'OtherLedger' });
  expect((error as Error).message).toBe(
    `Cannot work on ${id}: it is not of this worker's ledger, whose workflows begin with 6f1c22aa90b3/`,
  );
});
