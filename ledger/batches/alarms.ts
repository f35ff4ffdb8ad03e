import { type Kysely, sql } from 'kysely';
import type { RowState } from '../../domain/row-state.js';
import type { Tables } from '../database/tables.js';

/** Rows of one state that the same thing keeps from going on. */
export interface AlarmGroup {
  readonly state: RowState;
  /** As the rows say it, without what differs from try to try. */
  readonly alarm: string;
  readonly rows: number;
  /** The first of the rows: since its first failed send, look or download, or its deadline; null: not known. */
  readonly sinceMs: number | null;
  /** One of the rows. */
  readonly rowKey: string;
}

/** What holds up rows of a batch, the most frequent first. Repeated tries and requests of one cause are one group. */
export async function alarmGroups(db: Kysely<Tables>, batchId: string): Promise<readonly AlarmGroup[]> {
  const found = await db
    .selectFrom('rows')
    .select((eb) => ['state', 'alarm', eb.fn.countAll<number>().as('count'), eb.fn.min('row_key').as('row_key')])
    .select(
      sql<
        number | null
      >`min(case state when 'ordering' then coalesce(alarm_ms, first_sent_ms) when 'overdue' then deadline_ms
          else alarm_ms end)`.as('since_ms'),
    )
    .where('batch_id', '=', batchId)
    .where('alarm', 'is not', null)
    .groupBy(['state', 'alarm'])
    .execute();
  const groups = new Map<string, AlarmGroup>();
  for (const { state, alarm, count, since_ms, row_key: rowKey } of found) {
    const cause = causeOf(alarm ?? '');
    const key = JSON.stringify([state, cause]);
    const before = groups.get(key);
    const times = [before?.sinceMs ?? null, since_ms].filter((time) => time !== null);
    groups.set(key, {
      ...{ state, alarm: cause, rowKey: before?.rowKey ?? rowKey, rows: (before?.rows ?? 0) + Number(count) },
      sinceMs: times.length === 0 ? null : Math.min(...times.map(Number)),
    });
  }
  return [...groups.values()].sort((one, other) => other.rows - one.rows);
}

/** What an alarm tells of without how often it was tried and the name of a request, which differ from row to row. */
export function causeOf(alarm: string): string {
  return alarm
    .replace(/; sent (?:once|\d+ times), tried again$/, '')
    .replace(/ \(request [^)]*\)/, '')
    .replace(/, at \d+ bytes|: \d+ bytes came, expected \d+/, '');
}
