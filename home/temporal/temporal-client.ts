import {
  Client,
  Connection,
  WorkflowFailedError,
  type WorkflowHandle,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import type { WorkflowPort } from '../../operations/workflow-port.js';
import {
  followSignal,
  isUnreplayable,
  limitSignal,
  namesOf,
  nudgeSignal,
  sliceStarts,
  takeUpSignal,
} from '../../workflows/names.js';
import type { TemporalConfig } from '../config.js';
import { wayToTemporal } from './way-to-temporal.js';

/** A person's command waits this long for Temporal; the ledger has the decision either way. */
const deadlineMs = 5_000;

/** Short intervals instead of the default minutes: a restarted server is found within seconds. */
const channelArgs = {
  'grpc.use_local_subchannel_pool': 1,
  'grpc.initial_reconnect_backoff_ms': 250,
  'grpc.max_reconnect_backoff_ms': 2_000,
};

/** What operations need from Temporal, and what a worker needs besides. */
export interface BatchWorkflows extends WorkflowPort {
  /** How the batch's last workflow ended if it did not complete, e.g. "was terminated"; null otherwise. */
  badEndOf(batchId: string): Promise<string | null>;
}

export interface TemporalClient extends BatchWorkflows {
  readonly client: Client;
  close(): Promise<void>;
}

/**
 * Makes a client that connects at its first call, so that making one costs nothing and never fails.
 *
 * @param ledgerId the ledger whose workflows it starts and signals
 */
export function createTemporalClient(
  { address, namespace, credentials, proxy }: TemporalConfig,
  ledgerId: string,
): TemporalClient {
  const names = namesOf(ledgerId);
  const way = wayToTemporal(address, proxy);
  const connection = Connection.lazy({
    ...credentials,
    address: way.address,
    channelArgs: { ...channelArgs, ...way.channelArgs },
  });
  const client = new Client({ connection, namespace });
  const told = (call: () => Promise<unknown>): Promise<boolean> =>
    client.withDeadline(Date.now() + deadlineMs, call).then(
      () => true,
      () => false,
    );
  /** @returns false when the workflow is closed or was not started: there is nothing to wake. */
  async function signal(workflowId: string, name: string): Promise<boolean> {
    try {
      await client.workflow.getHandle(workflowId).signal(name);
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  }
  const startOf = (batchId: string) => ({
    args: [{ ledgerId, batchId }],
    taskQueue: names.workflowQueue,
    workflowId: names.batch(batchId),
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
  });
  return {
    client,
    startBatch: (batchId) =>
      told(async () => {
        try {
          await client.workflow.start('batchWorkflow', startOf(batchId));
        } catch (error) {
          if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
        }
      }),
    takeUpRows: (batchId) =>
      told(async () => {
        await client.workflow.signalWithStart('batchWorkflow', { ...startOf(batchId), signal: takeUpSignal });
      }),
    badEndOf: (batchId) => badEnd(client, names.batch(batchId)),
    resizeBatch: (batchId) => told(() => signal(names.batch(batchId), limitSignal)),
    nudgeBatch: (batchId) => told(() => signal(names.batch(batchId), nudgeSignal)),
    nudgeSlice: (batchId, slice) =>
      told(async () => {
        // Later attempts exist only if an earlier one ended badly; the running one receives the signal.
        for (let attempt = 1; attempt <= sliceStarts; attempt += 1) {
          if (await signal(names.slice(batchId, slice, attempt), followSignal)) return;
        }
      }),
    close: () => connection.close(),
  };
}

const badEnds: Readonly<Record<string, string>> = {
  FAILED: 'failed',
  TERMINATED: 'was terminated',
  TIMED_OUT: 'timed out',
  CANCELLED: 'was canceled in Temporal',
};

/** Null also when Temporal is unavailable: starting the workflow then reports that. */
async function badEnd(client: Client, workflowId: string): Promise<string | null> {
  const handle = client.workflow.getHandle(workflowId);
  try {
    const { status } = await client.withDeadline(Date.now() + deadlineMs, () => handle.describe());
    const words = badEnds[status.name];
    if (words === undefined) return null;
    const why = status.name === 'FAILED' ? await failureOf(handle) : null;
    return why === null ? words : `${words} (${why})`;
  } catch {
    return null;
  }
}

/** The error of a failed workflow, in one short line. */
async function failureOf(handle: WorkflowHandle): Promise<string | null> {
  const error = await handle.result().then(
    () => null,
    (reason: unknown) => reason,
  );
  const cause = error instanceof WorkflowFailedError ? error.cause : error;
  if (!(cause instanceof Error)) return null;
  if (isUnreplayable(cause.message)) return 'this version of the worker cannot continue it';
  return cause.message.split('\n')[0]?.slice(0, 200) ?? null;
}
