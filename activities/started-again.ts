import { noteRestart } from '../ledger/progress/restarts.js';
import type { ActivityDeps } from './deps.js';
import { tell } from './tell.js';

/** Keeps in the books, and tells the log, that work on a batch ended before its rows did and was started again. */
export async function startedAgain(
  deps: Pick<ActivityDeps, 'ledger' | 'clock' | 'onEvent'>,
  { batchId, reason }: { readonly batchId: string; readonly reason: string },
): Promise<void> {
  await noteRestart(deps.ledger, { batchId, reason, nowMs: deps.clock() });
  tell(deps, { kind: 'restarted', batchId, rowKey: null, detail: reason });
}
