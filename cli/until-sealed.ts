import { setTimeout as sleep } from 'node:timers/promises';
import { type BatchView, readBatch } from '../ledger/batches.js';
import type { OperationDeps } from '../operations/deps.js';
import { type CliContext, CliError, exitCodes } from './context.js';
import { say } from './print.js';

/** Prices are asked for by the workers; sealing comes right after the last one. */
const lookEveryMs = 150;

export interface Sealing {
  readonly deps: Pick<OperationDeps, 'ledger'>;
  readonly batchId: string;
  readonly signal: AbortSignal;
}

/**
 * Waits until the batch has its price.
 *
 * @throws CliError (3) when it was refused or has expired; the signal's reason when the person leaves.
 */
export async function untilSealed(context: CliContext, { deps, batchId, signal }: Sealing): Promise<BatchView> {
  for (let looks = 0; ; looks += 1) {
    const batch = await readBatch(deps.ledger, batchId);
    const { state, manifestName, rowsInSheet, rowsToOrder } = batch;
    if (state === 'refused' || state === 'expired') {
      const why = batch.stateReason ?? 'no reason given';
      throw new CliError(`Cannot order ${batchId}: it is ${state}: ${why}`, exitCodes.stopped);
    }
    if (state !== 'preparing') return batch;
    if (looks === 0) say(context, `${batchId} ${manifestName}: ${rowsInSheet} rows, pricing ${rowsToOrder}`);
    await sleep(lookEveryMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
