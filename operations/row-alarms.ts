import type { RowState } from '../domain/row-state.js';
import { listRows } from '../ledger/batches/rows.js';
import type { Ledger } from '../ledger/ledger.js';

/** States in which a row is tried again and again, for as long as it takes. */
const tried = ['ordering', 'running', 'overdue', 'archiving'] as const satisfies readonly RowState[];

const rowsLookedAt = 300;
const shownAlarms = 3;

/** What holds up rows in the making, the most frequent first, as `archiving 3: the disk is full`. */
export async function rowAlarms(ledger: Ledger, batchId: string): Promise<readonly string[]> {
  const rows = await listRows(ledger, batchId, { states: tried, limit: rowsLookedAt });
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
