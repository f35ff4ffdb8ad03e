import { settleBatch } from '../ledger/progress/settle.js';
import { reportBatch } from '../reports/renew-reports.js';
import { batchStateWords } from '../reports/wording/state-words.js';
import type { Activities } from './activities.js';
import type { ActivityDeps } from './deps.js';
import { withHeartbeats } from './heartbeats.js';
import { tell } from './tell.js';

/**
 * Closes the books of the batch as far as they can be closed, then writes its reports from them. Repeated after a
 * crash it closes nothing twice, and replaces the reports by the same ones.
 */
export function createSettle(deps: ActivityDeps): Activities['settle'] {
  const { ledger, clock, reportFolder } = deps;
  return (batchId) =>
    withHeartbeats(async () => {
      const { state } = await settleBatch(ledger, { batchId, nowMs: clock() });
      await reportBatch({ ledger, reportFolder, clock }, batchId);
      if (state !== 'making') tell(deps, { batchId, rowKey: null, kind: 'settled', detail: batchStateWords[state] });
      return state;
    });
}
