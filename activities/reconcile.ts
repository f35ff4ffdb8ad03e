import pLimit from 'p-limit';
import { openBatchStates } from '../domain/batch-state.js';
import { isSettled, type RowState } from '../domain/row-state.js';
import { type BatchView, countRows, listBatches } from '../ledger/batches.js';
import { recordPolls } from '../ledger/following.js';
import { overdueRows } from '../ledger/reconcile.js';
import type { Activities } from './activities.js';
import type { ActivityDeps } from './deps.js';
import { withHeartbeats } from './heartbeats.js';
import { look } from './look.js';

const batchesAtOnce = 1_000;
const overdueAtOnce = 200;
const pollsSideBySide = 8;

/**
 * Brings back what lost its owner: batches whose workflow was never started, terminated or deleted, rows that came back
 * to life in a batch that had settled without them, and movies past their deadline. It starts workflows and looks; what
 * follows from that is in the ledger, and whatever only a person can judge stays listed there.
 */
export function createReconcile(deps: ActivityDeps): Activities['reconcile'] {
  return () =>
    withHeartbeats(async (signal) => {
      await lookAtOverdue(deps, signal);
      const { ledger, service, startBatch } = deps;
      const states = [...openBatchStates, 'unsettled'] as const;
      let started = 0;
      for (const batch of await listBatches(ledger, { service, states, limit: batchesAtOnce })) {
        if (!(await needsWorkflow(deps, batch))) continue;
        await startBatch(batch.batchId);
        started += 1;
      }
      return started;
    });
}

/** A batch that settled needs one again when a late proof or a late movie set one of its rows going. */
async function needsWorkflow({ ledger }: ActivityDeps, { batchId, state }: BatchView): Promise<boolean> {
  if (state !== 'unsettled') return true;
  const present = Object.keys(await countRows(ledger, batchId)) as RowState[]; // states that have rows
  return present.some((rowState) => !isSettled(rowState));
}

async function lookAtOverdue(deps: ActivityDeps, signal: AbortSignal): Promise<void> {
  const limit = pLimit(pollsSideBySide);
  const rows = await overdueRows(deps.ledger, { service: deps.service, limit: overdueAtOnce });
  await limit.map(rows, async (row) => {
    const polls = [await look(deps, row, signal)];
    await recordPolls(deps.ledger, { batchId: row.batchId, polls, nowMs: deps.clock() });
  });
}
