import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import type { Trouble } from './see-workers.js';

/** How many of a workflow's newest events are read: the one that says why its task failed is among the last. */
const newestEvents = 20;

/**
 * Returns the error with which a workflow's code fails. Temporal retries its task forever, and keeps the first error.
 *
 * @returns null when its task is not being retried, or was only lost with its worker.
 */
export async function codeTrouble(
  { workflowService, options }: Client,
  { pendingWorkflowTask, workflowExecutionInfo }: WorkflowExecutionDescription['raw'],
): Promise<Trouble | null> {
  if ((pendingWorkflowTask?.attempt ?? 0) < 2) return null;
  const { history } = await workflowService.getWorkflowExecutionHistoryReverse({
    namespace: options.namespace,
    execution: workflowExecutionInfo?.execution ?? null,
    maximumPageSize: newestEvents,
  });
  const ended = (history?.events ?? []).find(
    (event) => event.workflowTaskFailedEventAttributes ?? event.workflowTaskCompletedEventAttributes,
  );
  const message = ended?.workflowTaskFailedEventAttributes?.failure?.message;
  if (!message) return null;
  const sinceMs = Number(ended?.eventTime?.seconds ?? 0) * 1_000;
  return {
    trouble: `this version of the worker fails at it: ${message}`,
    troubleSinceMs: sinceMs > 0 ? sinceMs : null,
  };
}
