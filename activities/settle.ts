import { settleBatch } from '../ledger/progress/settle.js';
import { reportBatch } from '../reports/renew-reports.js';
import type { Activities } from './activities.js';
import type { ActivityDeps } from './deps.js';
import { withHeartbeats } from './heartbeats.js';

/**
 * Closes the books of the batch as far as they can be closed, then writes its reports from them. Repeated after a
 * crash it closes nothing twice, and replaces the reports by the same ones.
 */
export function createSettle({ ledger, clock, reportFolder }: ActivityDeps): Activities['settle'] {
  return (batchId) =>
    withHeartbeats(async () => {
      const { state } = await settleBatch(ledger, { batchId, nowMs: clock() });
      await reportBatch({ ledger, reportFolder, clock }, batchId);
      return state;
    });
}
