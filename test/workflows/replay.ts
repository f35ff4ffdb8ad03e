import { type Client, type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { inject } from 'vitest';

interface HistoryOf {
  readonly workflowId: string;
  readonly history: Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;
}

/**
 * Runs workflows again, each from its history alone (O8): that is what another worker does after a crash, and code that
 * decides differently then leaves a paid batch without anybody.
 *
 * @returns what went wrong, by workflow; none when all is well.
 */
export async function failedReplays(histories: readonly HistoryOf[]): Promise<readonly string[]> {
  const failures: string[] = [];
  const workflowBundle = { codePath: inject('workflowBundle') };
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, histories)) {
    if (error) failures.push(`${workflowId}: ${error.message}`);
  }
  return failures;
}

/** Of a batch's workflow and of every slice that it started; none where it was never started, or deleted by its test. */
export async function historiesFrom(client: Client, workflowId: string): Promise<readonly HistoryOf[]> {
  const history = await client.workflow
    .getHandle(workflowId)
    .fetchHistory()
    .catch((error: unknown) => {
      if (error instanceof WorkflowNotFoundError) return null;
      throw error;
    });
  if (!history) return [];
  const found: HistoryOf[] = [{ workflowId, history }];
  for (const { startChildWorkflowExecutionInitiatedEventAttributes: child } of history.events ?? []) {
    if (child?.workflowId) found.push(...(await historiesFrom(client, child.workflowId)));
  }
  return found;
}
