import type { BatchState } from '../../domain/batch-state.js';
import type { Actor } from '../../domain/roles.js';
import { appendAudit } from '../access/audit.js';
import { auditedAct } from '../access/audited-act.js';
import { lockBatch } from '../batches/batch-record.js';
import { type Ledger, LedgerError } from '../ledger.js';

export interface NewLimit {
  readonly batchId: string;
  /** Movies of the batch in progress at most; null: as many as the service and the workers allow. */
  readonly maxInFlight: number | null;
  readonly actor: Actor;
  readonly reason?: string;
  readonly nowMs: number;
}

const changeable: readonly BatchState[] = ['preparing', 'waiting', 'making'];

/**
 * Sets how many movies of a batch may be in progress. Below what is in progress now nothing is canceled: no order
 * leaves until enough of them have ended.
 *
 * @returns the limit that it had.
 * @throws LedgerError `bad_argument` for a number below 1, `wrong_state` for a batch that orders nothing any more.
 */
export async function limitBatch(
  ledger: Ledger,
  { batchId, maxInFlight, actor, reason, nowMs }: NewLimit,
): Promise<number | null> {
  const deed = { actor, act: 'limits', object: batchId, words: `limit ${batchId}`, nowMs } as const;
  return auditedAct(ledger, deed, async (tx) => {
    if (maxInFlight !== null && (!Number.isSafeInteger(maxInFlight) || maxInFlight < 1)) {
      const right = 'it must be a whole number from 1';
      throw new LedgerError('bad_argument', `Cannot limit ${batchId} to ${maxInFlight} movies in progress: ${right}`);
    }
    const { state, max_in_flight: before } = await lockBatch(tx, batchId);
    if (!changeable.includes(state)) {
      const why = `it is ${state}; only a batch that still places orders has limits`;
      throw new LedgerError('wrong_state', `Cannot limit ${batchId}: ${why}`);
    }
    if (before === maxInFlight) return before;
    await tx.updateTable('batches').set({ max_in_flight: maxInFlight }).where('batch_id', '=', batchId).execute();
    await appendAudit(tx, {
      ...{ atMs: nowMs, actor, act: 'limits', object: batchId },
      detail: { max_in_flight: maxInFlight, before, reason: reason ?? null },
    });
    return before;
  });
}
