import type { RowState } from '../domain/row-state.js';
import { listRows } from '../ledger/batches/rows.js';
import type { Ledger } from '../ledger/ledger.js';

const rowsLookedAt = 300;
const shownAlarms = 3;

/** What holds up rows in the making, the most frequent first, as `archiving 3: the disk is full`. */
export async function rowAlarms(ledger: Ledger, batchId: string): Promise<readonly string[]> {
  const rows = await listRows(ledger, batchId, { alarmed: true, limit: rowsLookedAt });
  const counts = new Map<string, number>();
  for (const { state, alarm } of rows) {
    if (alarm === null) continue;
    const kind = JSON.stringify([state, alarm]);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([, one], [, other]) => other - one).slice(0, shownAlarms);
  return sorted.map(([kind, count]) => {
    const [state, alarm] = JSON.parse(kind) as [RowState, string]; // written above
    return `${state} ${count}: ${alarm}`;
  });
}
