import pLimit from 'p-limit';
import { batchesToStart, batchesWithStrays, overdueRows } from '../ledger/progress/orphans.js';
import { recordPolls } from '../ledger/progress/polls.js';
import { renewReports } from '../reports/renew-reports.js';
import type { Activities } from './activities.js';
import type { ActivityDeps } from './deps.js';
import { withHeartbeats } from './heartbeats.js';
import { look } from './look.js';
import { createPace, type PaceOf } from './pace.js';
import { startedAgain } from './started-again.js';

const overdueAtOnce = 200;
const maxConcurrentPolls = 8;
/** A look that is so late has been forgotten: no slice follows its row. */
const strayAfterMs = 5 * 60_000;

/**
 * Brings back what lost its owner: batches whose workflow was never started, terminated or deleted, rows that came back
 * to life in a batch that had settled without them, movies past their deadline, and reports that are out of date. It
 * starts workflows and looks; what follows from that is in the ledger, and whatever only a person can judge stays listed
 * there.
 */
export function createReconcile(deps: ActivityDeps): Activities['reconcile'] {
  const pace = createPace(deps);
  return () =>
    withHeartbeats(async (signal) => {
      await lookAtOverdue(deps, { pace, signal });
      const { ledger, service, startBatch, takeUpRows, badEndOf, clock } = deps;
      await renewReports(deps, service);
      const batches = await batchesToStart(ledger, { service });
      for (const { batchId } of batches) {
        const end = await badEndOf(batchId);
        if (!(await startBatch(batchId)) || end === null) continue;
        await startedAgain(deps, { batchId, reason: `its workflow ${end}, and was started again` });
      }
      const dueSinceMs = clock() - strayAfterMs;
      for (const batchId of await batchesWithStrays(ledger, { service, dueSinceMs })) await takeUpRows(batchId);
      return batches.length;
    });
}

async function lookAtOverdue(
  deps: ActivityDeps,
  { pace, signal }: { readonly pace: PaceOf; readonly signal: AbortSignal },
): Promise<void> {
  const limit = pLimit(maxConcurrentPolls);
  const rows = await overdueRows(deps.ledger, { service: deps.service, limit: overdueAtOnce });
  await limit.map(rows, async (row) => {
    const polls = [await look(deps, row, { pace: await pace(row.batchId), signal })];
    await recordPolls(deps.ledger, { batchId: row.batchId, polls });
  });
}
