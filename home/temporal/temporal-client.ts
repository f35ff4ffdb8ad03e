import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import type { WorkflowPort } from '../../operations/workflow-port.js';
import {
  batchWorkflowId,
  followSignal,
  nudgeSignal,
  sliceTries,
  sliceWorkflowId,
  workflowQueue,
} from '../../workflows/names.js';
import type { TemporalConfig } from '../config.js';
import { directly } from './directly.js';

/** A person's command waits this long for Temporal; the ledger has the decision either way. */
const deadlineMs = 5_000;

/** Short steps instead of the default minutes: a restarted server is found within seconds. */
const channelArgs = {
  'grpc.use_local_subchannel_pool': 1,
  'grpc.initial_reconnect_backoff_ms': 250,
  'grpc.max_reconnect_backoff_ms': 2_000,
};

export interface TemporalClient extends WorkflowPort {
  readonly client: Client;
  close(): Promise<void>;
}

/** A client that connects at its first call, so that making one costs nothing and never fails. */
export function createTemporalClient({ address, namespace, credentials }: TemporalConfig): TemporalClient {
  const connection = Connection.lazy({
    ...credentials,
    address,
    channelArgs: { ...channelArgs, ...directly(address) },
  });
  const client = new Client({ connection, namespace });
  const told = (call: () => Promise<unknown>): Promise<boolean> =>
    client.withDeadline(Date.now() + deadlineMs, call).then(
      () => true,
      () => false,
    );
  /** @returns false when the workflow is closed or was not started: there is nobody to wake. */
  async function signal(workflowId: string, name: string): Promise<boolean> {
    try {
      await client.workflow.getHandle(workflowId).signal(name);
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  }
  return {
    client,
    startBatch: (batchId) =>
      told(async () => {
        try {
          await client.workflow.start('batchWorkflow', {
            args: [{ batchId }],
            taskQueue: workflowQueue,
            workflowId: batchWorkflowId(batchId),
            workflowIdConflictPolicy: 'USE_EXISTING',
          });
        } catch (error) {
          if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
        }
      }),
    nudgeBatch: (batchId) => told(() => signal(batchWorkflowId(batchId), nudgeSignal)),
    nudgeSlice: (batchId, slice) =>
      told(async () => {
        // Its later tries exist only where an earlier one ended badly; the one that runs is the one that hears.
        for (let attempt = 1; attempt <= sliceTries; attempt += 1) {
          if (await signal(sliceWorkflowId(batchId, slice, attempt), followSignal)) return;
        }
      }),
    close: () => connection.close(),
  };
}
