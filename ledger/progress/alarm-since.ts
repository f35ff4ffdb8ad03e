import { sql } from 'kysely';
import { causeOf } from '../batches/alarms.js';
import { amongRecords } from '../database/json-records.js';
import { preparedForMany } from '../database/prepared-query.js';
import type { RowsTable } from '../database/tables.js';
import type { Tx } from '../ledger.js';

const alarmed = preparedForMany<
  { readonly row_key: string },
  { readonly batchId: string },
  Pick<RowsTable, 'row_key' | 'alarm' | 'alarm_ms'>
>(
  { row_key: 'text' },
  (db, { batchId }) => sql`
    select rows.row_key, rows.alarm, rows.alarm_ms from own cross join rows
    where rows.batch_id = ${batchId} and rows.row_key = own.row_key and ${amongRecords(db, 'rows.row_key', 'row_key')}`,
);

export interface NewAlarm {
  readonly rowKey: string;
  /** What is about to be written; null where nothing is in the way. */
  readonly alarm: string | null;
}

/**
 * Since when rows have said what they say now: tries and requests that differ are one cause.
 *
 * @returns milliseconds since 1970 by row key, without those that have no alarm.
 */
export async function alarmsSince(
  tx: Tx,
  { batchId, alarms, nowMs }: { batchId: string; alarms: readonly NewAlarm[]; nowMs: number },
): Promise<ReadonlyMap<string, number>> {
  const said = alarms.flatMap(({ rowKey, alarm }) => (alarm === null ? [] : [{ rowKey, alarm }]));
  if (said.length === 0) return new Map();
  const records = said.map(({ rowKey }) => ({ row_key: rowKey }));
  const before = new Map((await alarmed(tx, records, { batchId })).map((row) => [row.row_key, row]));
  return new Map(
    said.map(({ rowKey, alarm }) => {
      const row = before.get(rowKey);
      const same = row !== undefined && row.alarm !== null && causeOf(row.alarm) === causeOf(alarm);
      return [rowKey, same ? (row.alarm_ms ?? nowMs) : nowMs];
    }),
  );
}
