import type { TemporalConfig } from '../config.js';
import type { BatchWorkflows, TemporalClient } from './temporal-client.js';

/** For an installation whose Temporal is not running: everything stays recorded, and the next worker finds it. */
const nobodyToTell: BatchWorkflows = {
  startBatch: async () => false,
  badEndOf: async () => null,
  takeUpRows: async () => false,
  resizeBatch: async () => false,
  nudgeBatch: async () => false,
  nudgeSlice: async () => false,
};

/**
 * Tells Temporal, whose client is loaded when there is something to tell: that takes longer than most commands, which
 * only read the ledger.
 *
 * @param temporal null while it does not run
 * @param ledgerId whose workflows are told
 */
export function createLazyWorkflows(
  temporal: TemporalConfig | null,
  ledgerId: string,
): BatchWorkflows & { close(): Promise<void> } {
  if (!temporal) return { ...nobodyToTell, close: async () => {} };
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
