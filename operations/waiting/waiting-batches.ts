import { openBatchStates } from '../../domain/batch-state.js';
import { openLedger } from '../../ledger/ledger.js';
import type { WaitReason } from '../../reports/wording/wait-reason.js';
import { listBatches } from '../batches.js';
import { type AtTerminal, terminalActor } from '../terminal-actor.js';
import { type WaitingDeps, whyWaiting } from '../why-waiting.js';

/** An open batch that does not continue, and why. */
export interface WaitingBatch {
  readonly batchId: string;
  readonly reasons: readonly WaitReason[];
}

export interface WaitingLook extends AtTerminal {
  readonly seeWorkers: WaitingDeps['seeWorkers'];
}

const shownBatches = 10;

/**
 * The newest open batches that do not continue, in the campaigns that the person sees.
 *
 * @throws LedgerError `not_allowed` when people are registered and this one is unknown.
 */
export async function waitingBatches(
  url: string,
  { seeWorkers, ...at }: WaitingLook,
): Promise<readonly WaitingBatch[]> {
  const ledger = await openLedger({ url });
  try {
    const deps = { ledger, clock: ledger.clock, seeWorkers };
    const actor = await terminalActor(deps, at);
    const open = await listBatches(deps, { actor, states: [...openBatchStates, 'unsettled'], limit: shownBatches });
    const waiting: WaitingBatch[] = [];
    for (const status of open) {
      const reasons = await whyWaiting(deps, status, actor);
      if (reasons.length > 0) waiting.push({ batchId: status.batch.batchId, reasons });
    }
    return waiting;
  } finally {
    await ledger.close();
  }
}
