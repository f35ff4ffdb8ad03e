import { failedStates } from '../../domain/row-state.js';
import { type BatchLook, type BatchStatus, listRows } from '../../operations/batches.js';
import { type WaitingDeps, whyWaiting } from '../../operations/why-waiting.js';
import { printable } from '../../reports/wording/printable.js';
import type { WaitReason } from '../../reports/wording/wait-reason.js';

export interface Troubles {
  /** Why rows of it do not go on. */
  readonly reasons: readonly WaitReason[];
  /** The newest row that failed for good, and why. */
  readonly last: string | null;
}

/** Reasons are looked for this often, and failures in so many rows: progress itself reads counters only. */
const lookEveryMs = 3_000;
const rowsLookedAt = 300;

/** Watches a batch for what a person should hear of, without asking for more rows than that takes. */
export function watchTroubles(
  deps: WaitingDeps,
  look: BatchLook,
): (status: BatchStatus, nowMs: number) => Promise<Troubles> {
  let failedRows = 0;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let reasons: readonly WaitReason[] = [];
  let last: string | null = null;
  let state: string | null = null;
  return async (status, nowMs) => {
    const { batch } = status;
    if (batch.failedRows !== failedRows) {
      failedRows = batch.failedRows;
      last = await newestFailure(deps, look);
    }
    if (batch.state !== state || nowMs - lookedAtMs >= lookEveryMs) {
      [state, lookedAtMs] = [batch.state, nowMs];
      reasons = await whyWaiting(deps, status, look.actor);
    }
    return { reasons, last };
  };
}

async function newestFailure(deps: Pick<WaitingDeps, 'ledger'>, look: BatchLook): Promise<string | null> {
  const rows = await listRows(deps, { ...look, states: failedStates, limit: rowsLookedAt });
  const [newest] = [...rows].sort((one, other) => (other.endedAtMs ?? 0) - (one.endedAtMs ?? 0));
  return newest ? `${newest.rowKey} ${newest.state}: ${printable(newest.reason ?? 'no reason given')}` : null;
}
