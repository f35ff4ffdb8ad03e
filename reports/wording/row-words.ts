import type { Policy } from '../../domain/policy.js';
import type { RowView } from '../../ledger/batches/rows.js';
import { printable } from './printable.js';
import { formatTime } from './time-text.js';

/** How far a row is: the service's percent and stage, else the movie that it became. */
export function rowProgress({ state, percent, stage, movieId }: RowView): string {
  if (state === 'running' || state === 'overdue')
    return `${percent ?? 0} %${stage === null ? '' : ` ${printable(stage)}`}`;
  return movieId ?? '';
}

/**
 * Why a row is where it is; empty where its state says it all.
 *
 * @param moment how whoever shows it says a time
 */
export function rowNote(row: RowView, moment: (atMs: number) => string = formatTime): string {
  const { alarm, reason, blocked, verdict, cancelRequested, classDetail, ordered } = row;
  if (alarm !== null) return printable(alarm);
  if (blocked)
    return `${blocked.reason === 'in_flight' ? 'in-flight limit' : blocked.reason} since ${moment(blocked.sinceMs)}`;
  if (reason !== null) return printable(reason);
  if (cancelRequested) return 'cancel requested';
  if (!ordered && classDetail) return `in ${classDetail.batchId}`;
  return verdict ?? '';
}

/** Why a row that was ordered has no movie, and what is taken to be charged for it. */
export function undeliveredWords({ state, reason, money }: RowView, billing: Policy['billing']): string {
  const words = reason === null || reason === '' ? state : `${state}: ${printable(reason)}`;
  if (state === 'unknown') return `${words}; its hold stays until it is resolved`;
  if (money !== 'posted') return `${words}, not charged`;
  const assumed = state === 'failed' ? billing.failed : state === 'canceled' ? billing.canceled : 'charged';
  return `${words}, assumed ${assumed}`;
}
