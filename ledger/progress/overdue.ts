import { type Expression, sql } from 'kysely';
import { readPolicy } from '../access/policies.js';
import { lockBatch } from '../batches/batch-record.js';
import { type RowRecord, readRowRecord } from '../batches/row-record.js';
import type { Tx } from '../ledger.js';
import { moveRows } from './row-transitions.js';

const pastDeadline = 'not finished by its deadline';

/** An overdue row stays one whatever a look shows; what is wrong with the look comes beside it. */
export const alarmNow = (alarm: Expression<string | null>) => sql<string | null>`case
  when rows.state = 'overdue' then ${sql.lit(pastDeadline)} || coalesce('; ' || ${alarm}, '')
  else ${alarm} end`;

/** Whether a row that is still being made should have ended by now. */
export function isPastDeadline(row: Pick<RowRecord, 'state' | 'deadline_ms'>, nowMs: number): boolean {
  return row.state === 'running' && row.deadline_ms !== null && nowMs >= row.deadline_ms;
}

/** Still asked about, by whoever reconciles; its slice goes on without it. */
export async function passDeadline(
  tx: Tx,
  { batchId, rowKey, nowMs }: { readonly batchId: string; readonly rowKey: string; readonly nowMs: number },
): Promise<void> {
  const batch = await lockBatch(tx, batchId);
  const { policy } = await readPolicy(tx);
  const row = await readRowRecord(tx, { batchId, rowKey });
  if (row.state !== 'running') return;
  const canceled = policy.cancelOverdue && row.cancel_ms === null ? { cancel_ms: nowMs } : {};
  const set = { alarm: row.alarm === null ? pastDeadline : `${pastDeadline}; ${row.alarm}`, ...canceled };
  await moveRows(tx, batch, { moves: [{ row, to: 'overdue', set }], nowMs });
}
