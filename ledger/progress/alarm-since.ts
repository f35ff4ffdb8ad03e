import { causeOf } from '../batches/alarms.js';
import { prepared } from '../database/prepared-query.js';
import type { Tx } from '../ledger.js';

const alarmed = prepared((db, { batchId, rowKey }: { readonly batchId: string; readonly rowKey: string }) =>
  db.selectFrom('rows').select(['alarm', 'alarm_ms']).where('batch_id', '=', batchId).where('row_key', '=', rowKey),
);

/**
 * Since when a row has said what it says now: tries and requests that differ are one cause.
 *
 * @param alarm what is about to be written; null where nothing is in the way
 * @returns null without an alarm, else milliseconds since 1970.
 */
export async function alarmSince(
  tx: Tx,
  { batchId, rowKey, alarm, nowMs }: { batchId: string; rowKey: string; alarm: string | null; nowMs: number },
): Promise<number | null> {
  if (alarm === null) return null;
  const [row] = await alarmed(tx, { batchId, rowKey });
  const same = row?.alarm !== null && row !== undefined && causeOf(row.alarm) === causeOf(alarm);
  return same ? (row.alarm_ms ?? nowMs) : nowMs;
}
