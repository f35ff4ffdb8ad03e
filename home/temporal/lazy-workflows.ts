import type { WorkflowPort } from '../../operations/workflow-port.js';
import type { TemporalConfig } from '../config.js';
import type { TemporalClient } from './temporal-client.js';

/** For an installation whose Temporal is not running: everything stays recorded, and the next worker finds it. */
const nobodyToTell: WorkflowPort = {
  startBatch: async () => false,
  nudgeBatch: async () => false,
  nudgeSlice: async () => false,
};

/**
 * Tells Temporal, whose client is loaded when there is something to tell: that takes longer than most commands, which
 * only read the ledger.
 *
 * @param temporal null while it does not run
 */
export function createLazyWorkflows(temporal: TemporalConfig | null): WorkflowPort & { close(): Promise<void> } {
  if (!temporal) return { ...nobodyToTell, close: async () => {} };
  let opened: Promise<TemporalClient> | null = null;
  const client = () => {
    opened ??= import('./temporal-client.js').then(({ createTemporalClient }) => createTemporalClient(temporal));
    return opened;
  };
  return {
    startBatch: async (batchId) => (await client()).startBatch(batchId),
    nudgeBatch: async (batchId) => (await client()).nudgeBatch(batchId),
    nudgeSlice: async (batchId, slice) => (await client()).nudgeSlice(batchId, slice),
    close: async () => (await opened)?.close(),
  };
}
