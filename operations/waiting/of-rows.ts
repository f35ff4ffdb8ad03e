import { isTerminal } from '../../domain/row-state.js';
import { type AlarmGroup, alarmGroups, causeOf } from '../../ledger/batches/alarms.js';
import type { RowView } from '../../ledger/batches/rows.js';
import { countsOf, rowStateWords } from '../../reports/wording/state-words.js';
import { nothingMore, type WaitKind, type WaitReason } from '../../reports/wording/wait-reason.js';
import type { Asked } from '../why-waiting.js';

const shownAlarms = 5;

/** The beginning of a row's message while it waits under a stop, which has its own line. */
const underStop = 'not sent again under the stop';

/** What holds up rows that were ordered or are about to be: one kind per line, the most frequent first. */
export async function alarmReasons(asked: Asked): Promise<readonly WaitReason[]> {
  const groups = await alarmGroups(asked.deps.ledger.db, asked.batch.batchId);
  return groups
    .filter(({ alarm }) => !alarm.startsWith(underStop))
    .slice(0, shownAlarms)
    .map((group) => alarmReason(asked, group));
}

function alarmReason({ batch, who }: Asked, { state, alarm, rows: count, sinceMs, rowKey }: AlarmGroup): WaitReason {
  const of = { ...nothingMore, rows: { count, state: rowStateWords[state] }, what: alarm, sinceMs };
  if (state === 'overdue') {
    const command = `greenlight unknown resolve ${batch.batchId} ${rowKey} --lost --evidence "…"`;
    return { ...of, kind: 'overdue', endsBy: 'still asked about', who: who.toAct('resolve'), command };
  }
  const kind = kindOfTrouble(alarm);
  if (kind === 'disk_full') {
    const endsBy = 'continues as soon as there is room';
    return { ...of, kind, endsBy, who: who.toAct('resume'), command: 'greenlight doctor' };
  }
  if (kind === 'service') return { ...of, kind, endsBy: 'retried automatically', command: 'greenlight doctor' };
  const endsBy = state === 'archiving' ? 'retried automatically' : null;
  return { ...of, kind: 'alarm', endsBy, command: `greenlight show ${batch.batchId} ${rowKey}` };
}

/** The kind of trouble that a message reports; `trouble` for an unknown one. */
export function kindOfTrouble(message: string): Extract<WaitKind, 'disk_full' | 'service' | 'trouble'> {
  if (/ENOSPC|SQLITE_FULL|disk is full|disk full|no space left/i.test(message)) return 'disk_full';
  if (/cannot be reached|no connection|answered \d{3}|was lost|timed? ?out|ECONN|ENOTFOUND/i.test(message))
    return 'service';
  return 'trouble';
}

/** Rows whose outcome a person has to find out, and rows that only wait for their turn. */
export function restReasons({ batch, counts, who }: Asked, found: readonly WaitReason[]): readonly WaitReason[] {
  const sums = countsOf(counts);
  const unknown: WaitReason[] =
    sums.unknown === 0
      ? []
      : [
          {
            ...{ ...nothingMore, kind: 'unknown', rows: { count: sums.unknown, state: 'unknown' } },
            what: 'nobody knows whether their movies exist; their money stays on hold',
            ...{ who: who.toAct('resolve'), command: `greenlight unknown list ${batch.batchId}` },
          },
        ];
  const isHeld = found.some(({ rows }) => rows === null || rows.state === 'waiting');
  if (batch.state !== 'making' || sums.waiting === 0 || isHeld) return unknown;
  const turn = { ...nothingMore, kind: 'turn', rows: { count: sums.waiting, state: 'waiting' } } as const;
  return [...unknown, { ...turn, what: 'queued', endsBy: 'ordered in turn' }];
}

/** The reasons of a batch that apply to one row: what stops the whole batch, its state's, and its own alarm. */
export function rowReasons(row: RowView, reasons: readonly WaitReason[]): readonly WaitReason[] {
  if (isTerminal(row.state)) return [];
  const state = rowStateWords[row.state];
  const cause = row.alarm === null ? null : causeOf(row.alarm);
  return reasons.filter(({ rows, kind, what }) => {
    if (rows === null) return true;
    return rows.state === state && (!isAlarm(kind) || what === cause);
  });
}

function isAlarm(kind: WaitKind): boolean {
  return ['alarm', 'service', 'disk_full', 'overdue'].includes(kind);
}
