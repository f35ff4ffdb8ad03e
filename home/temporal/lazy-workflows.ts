import type { TemporalConfig } from '../config.js';
import type { BatchWorkflows, TemporalClient } from './temporal-client.js';

/** Used while Temporal is not running: everything stays recorded, and the next worker finds it. */
const notRunning: BatchWorkflows = {
  startBatch: async () => false,
  badEndOf: async () => null,
  takeUpRows: async () => false,
  resizeBatch: async () => false,
  nudgeBatch: async () => false,
  nudgeSlice: async () => false,
};

/**
 * Notifies workflows, loading Temporal's client only when there is something to send: loading takes longer than most
 * commands, which only read the ledger.
 *
 * @param temporal null while it is not running
 * @param ledgerId the ledger whose workflows are notified
 */
export function createLazyWorkflows(
  temporal: TemporalConfig | null,
  ledgerId: string,
): BatchWorkflows & { close(): Promise<void> } {
  if (!temporal) return { ...notRunning, close: async () => {} };
  let opened: Promise<TemporalClient> | null = null;
  const client = () => {
    opened ??= import('./temporal-client.js').then(({ createTemporalClient }) =>
      createTemporalClient(temporal, ledgerId),
    );
    return opened;
  };
  return {
    startBatch: async (batchId) => (await client()).startBatch(batchId),
    badEndOf: async (batchId) => (await client()).badEndOf(batchId),
    takeUpRows: async (batchId) => (await client()).takeUpRows(batchId),
    resizeBatch: async (batchId) => (await client()).resizeBatch(batchId),
    nudgeBatch: async (batchId) => (await client()).nudgeBatch(batchId),
    nudgeSlice: async (batchId, slice) => (await client()).nudgeSlice(batchId, slice),
    close: async () => (await opened)?.close(),
  };
}
