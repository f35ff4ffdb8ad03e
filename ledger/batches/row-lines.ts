import type { Kysely, Selectable } from 'kysely';
import type { RowState } from '../../domain/row-state.js';
import type { BlockReason } from '../../domain/stop.js';
import type { RowsTable, Tables } from '../database/tables.js';
import { positionsOf, type RowPage } from './row-filter.js';
import type { RowView } from './rows.js';

/** A row as a list shows it: nothing that has to be parsed, and no look at other tables. */
export type RowLine = Pick<
  RowView,
  | 'position'
  | 'row'
  | 'rowKey'
  | 'class'
  | 'ordered'
  | 'state'
  | 'amountMinor'
  | 'attempt'
  | 'movieId'
  | 'serviceStatus'
  | 'percent'
  | 'stage'
  | 'blocked'
  | 'reason'
  | 'verdict'
  | 'alarm'
  | 'cancelRequested'
  | 'orderedAtMs'
  | 'deadlineAtMs'
  | 'nextLookAtMs'
  | 'finishedAtMs'
  | 'endedAtMs'
>;

const columns = [
  ...(['position', 'sheet_row', 'row_key', 'class', 'ordered', 'state', 'amount_minor', 'attempt'] as const),
  ...(['movie_id', 'service_status', 'percent', 'stage', 'blocked_reason', 'blocked_ms', 'reason'] as const),
  ...(['verdict', 'alarm', 'cancel_ms', 'ordered_ms', 'deadline_ms', 'follow_ms', 'finished_ms'] as const),
  'ended_ms',
] as const;

type Columns = Pick<Selectable<RowsTable>, (typeof columns)[number]>;

/** A page of a list, in the order of the sheet. */
export async function listRowLines(
  { db }: { readonly db: Kysely<Tables> },
  batchId: string,
  page: RowPage,
): Promise<readonly RowLine[]> {
  const positions = await positionsOf(db, batchId, page);
  if (positions.length === 0) return [];
  const rows = await db
    .selectFrom('rows')
    .select(columns)
    .where('batch_id', '=', batchId)
    .where('position', 'in', positions)
    .orderBy('position')
    .execute();
  return rows.map(lineOf);
}

export function lineOf(row: Columns): RowLine {
  return {
    ...{ position: row.position, row: row.sheet_row, rowKey: row.row_key, class: row.class },
    ...{ ordered: row.ordered === 1, state: row.state, amountMinor: row.amount_minor, attempt: row.attempt },
    ...{ movieId: row.movie_id, serviceStatus: row.service_status, percent: row.percent, stage: row.stage },
    ...{ blocked: blockedOf(row), reason: row.reason, verdict: row.verdict, alarm: row.alarm },
    ...{ cancelRequested: row.cancel_ms !== null, orderedAtMs: row.ordered_ms, deadlineAtMs: row.deadline_ms },
    ...{ nextLookAtMs: row.follow_ms, finishedAtMs: row.finished_ms, endedAtMs: row.ended_ms },
  };
}

function blockedOf({
  blocked_reason: reason,
  blocked_ms: sinceMs,
  state,
}: Pick<Columns, 'blocked_reason' | 'blocked_ms'> & { readonly state: RowState }): RowView['blocked'] {
  if (state !== 'blocked' || reason === null || sinceMs === null) return null;
  return { reason: reason as BlockReason, sinceMs }; // written by the admission
}
