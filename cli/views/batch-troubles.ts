import { failedStates } from '../../domain/row-state.js';
import type { BatchView } from '../../ledger/batches/batches.js';
import { type BatchLook, listRows } from '../../operations/batches.js';
import type { OperationDeps } from '../../operations/deps.js';
import { rowAlarms } from '../../operations/row-alarms.js';
import { printable } from '../../reports/wording/printable.js';

export interface Troubles {
  /** What holds up rows in the making, one kind a line. */
  readonly alarms: readonly string[];
  /** The newest row that failed for good, and why. */
  readonly last: string | null;
}

/** Alarms are looked for this often, and in so many rows: progress itself reads counters only. */
const lookEveryMs = 3_000;
const rowsLookedAt = 300;

/** Watches a batch for what a person should hear of, without asking for more rows than that takes. */
export function watchTroubles(
  deps: Pick<OperationDeps, 'ledger'>,
  look: BatchLook,
): (batch: BatchView, nowMs: number) => Promise<Troubles> {
  let failedRows = 0;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let alarms: readonly string[] = [];
  let last: string | null = null;
  return async (batch, nowMs) => {
    if (batch.failedRows !== failedRows) {
      failedRows = batch.failedRows;
      last = await newestFailure(deps, look);
    }
    if (batch.state === 'making' && nowMs - lookedAtMs >= lookEveryMs) {
      lookedAtMs = nowMs;
      alarms = (await rowAlarms(deps.ledger, look.batchId)).map(printable);
    }
    return { alarms: batch.state === 'making' ? alarms : [], last };
  };
}

async function newestFailure(deps: Pick<OperationDeps, 'ledger'>, look: BatchLook): Promise<string | null> {
  const rows = await listRows(deps, { ...look, states: failedStates, limit: rowsLookedAt });
  const [newest] = [...rows].sort((one, other) => (other.endedAtMs ?? 0) - (one.endedAtMs ?? 0));
  return newest ? `${newest.rowKey} ${newest.state}: ${printable(newest.reason ?? 'no reason given')}` : null;
}
