import { sql } from 'kysely';
import { statusMeaning } from '../../domain/answers/movie-status.js';
import type { RunTime } from '../../domain/run-times.js';
import { readPolicy } from '../access/policies.js';
import { lockBatch } from '../batches/batch-record.js';
import type { RowRecord } from '../batches/row-record.js';
import { prepared } from '../database/prepared-query.js';
import type { Ledger, Tx } from '../ledger.js';
import { refundAsAssumed } from '../money/assumed-refund.js';
import { alarmSince } from './alarm-since.js';
import { alarmNow, isPastDeadline, passDeadline } from './overdue.js';
import { moveRows, type RowMove } from './row-transitions.js';
import { keepRunTimes } from './run-times.js';

/** What one look at a movie showed. */
export type Poll =
  | {
      readonly kind: 'answered';
      readonly rowKey: string;
      readonly movieId: string;
      readonly status: string;
      readonly percent: number | null;
      readonly stage: string | null;
      readonly error: { readonly code: string; readonly message: string; readonly requestId?: string | null } | null;
      /** What else is wrong with the answer, for a person. */
      readonly alarm?: string | null;
      /** This look was the cancel of the movie, and the service took it. */
      readonly cancelSent: boolean;
      /** What its end teaches of the service; null while it runs. */
      readonly runTime?: RunTime | null;
      readonly followAtMs: number;
    }
  | {
      readonly kind: 'unanswered';
      readonly rowKey: string;
      readonly movieId: string;
      /** For a person. */
      readonly alarm: string;
      readonly followAtMs: number;
    };

export interface PollPage {
  readonly batchId: string;
  /** Whose follower looked; left out by whoever looks at overdue rows. */
  readonly slice?: number;
  readonly polls: readonly Poll[];
}

/**
 * Records a page of looks in one transaction. A movie that ended ends its row for its slice; a look that comes late,
 * after the row has ended or went on with another movie, changes nothing.
 */
export async function recordPolls(ledger: Ledger, { batchId, polls }: PollPage): Promise<void> {
  await ledger.write(async (tx) => {
    const nowMs = await ledger.now(tx);
    const ends: Extract<Poll, { kind: 'answered' }>[] = [];
    const over: string[] = [];
    for (const poll of polls) {
      const row = await recordLook(tx, { batchId, poll, nowMs });
      if (!row) continue;
      const isEnd = poll.kind === 'answered' && statusMeaning(poll.status).kind === 'end';
      const isOver = isPastDeadline(row, nowMs);
      if (isEnd) ends.push(poll);
      else if (isOver) over.push(poll.rowKey);
    }
    if (ends.length > 0) await endMovies(tx, { batchId, ends, nowMs });
    for (const rowKey of over) await passDeadline(tx, { batchId, rowKey, nowMs });
  });
}

interface OneLook {
  readonly batchId: string;
  readonly poll: Poll;
  readonly nowMs: number;
}

/** @returns undefined for a look that came too late. */
async function recordLook(
  tx: Tx,
  { batchId, poll, nowMs }: OneLook,
): Promise<Pick<RowRecord, 'state' | 'deadline_ms'> | undefined> {
  const { rowKey, movieId, followAtMs } = poll;
  const alarm = poll.kind === 'unanswered' ? poll.alarm : alarmOf(poll);
  const alarmMs = await alarmSince(tx, { batchId, rowKey, alarm, nowMs });
  const of = { batchId, rowKey, movieId, followAtMs, alarm, alarmMs };
  const [row] =
    poll.kind === 'unanswered'
      ? await unanswered(tx, of)
      : await answered(tx, {
          ...of,
          ...{ status: poll.status, percent: poll.percent, stage: poll.stage },
          cancelSentMs: poll.cancelSent ? nowMs : null,
          lookedMs: statusMeaning(poll.status).kind === 'end' ? null : nowMs,
        });
  return row;
}

interface LookAt {
  readonly batchId: string;
  readonly rowKey: string;
  readonly movieId: string;
  readonly followAtMs: number;
  readonly alarm: string | null;
  readonly alarmMs: number | null;
}

interface Answered extends LookAt {
  readonly status: string;
  readonly percent: number | null;
  readonly stage: string | null;
  readonly cancelSentMs: number | null;
  readonly lookedMs: number | null;
}

/** An overdue row is looked at by whoever reconciles, not by the follower of its slice. */
const followNext = (followAtMs: number) =>
  sql<number | null>`case when state = 'running' then cast(${followAtMs} as bigint) end`;

const answered = prepared((db, look: Answered) =>
  db
    .updateTable('rows')
    .set((eb) => ({
      ...{ service_status: look.status, percent: look.percent, stage: look.stage, alarm: alarmNow(look.alarm) },
      alarm_ms: look.alarmMs,
      ...{ polls: eb('polls', '+', 1), follow_ms: followNext(look.followAtMs) },
      cancel_sent_ms: eb.fn.coalesce(sql<number>`cast(${look.cancelSentMs} as bigint)`, 'cancel_sent_ms'),
      looked_ms: eb.fn.coalesce(sql<number>`cast(${look.lookedMs} as bigint)`, 'looked_ms'),
    }))
    .where('batch_id', '=', look.batchId)
    .where('row_key', '=', look.rowKey)
    .where('movie_id', '=', look.movieId)
    .where('state', 'in', ['running', 'overdue'])
    .returning(['state', 'deadline_ms']),
);

const unanswered = prepared((db, look: LookAt) =>
  db
    .updateTable('rows')
    .set((eb) => ({
      ...{ alarm: alarmNow(look.alarm), alarm_ms: look.alarmMs },
      ...{ polls: eb('polls', '+', 1), follow_ms: followNext(look.followAtMs) },
    }))
    .where('batch_id', '=', look.batchId)
    .where('row_key', '=', look.rowKey)
    .where('movie_id', '=', look.movieId)
    .where('state', 'in', ['running', 'overdue'])
    .returning(['state', 'deadline_ms']),
);

function alarmOf({ status, alarm = null }: Extract<Poll, { kind: 'answered' }>): string | null {
  const meaning = statusMeaning(status);
  return meaning.kind === 'under_way' ? (meaning.alarm ?? alarm) : null;
}

interface Endings {
  readonly batchId: string;
  readonly ends: readonly Extract<Poll, { kind: 'answered' }>[];
  readonly nowMs: number;
}

async function endMovies(tx: Tx, { batchId, ends, nowMs }: Endings): Promise<void> {
  const batch = await lockBatch(tx, batchId);
  const { policy } = await readPolicy(tx);
  const rows = await rowsByKey(tx, batchId, ends);
  const moves: RowMove[] = [];
  const runTimes: RunTime[] = [];
  for (const poll of ends) {
    const row = rows.get(poll.rowKey);
    // Under the lock now: another follower may have been faster.
    if (!row || row.movie_id !== poll.movieId || (row.state !== 'running' && row.state !== 'overdue')) continue;
    const to = endState(poll.status);
    if (to !== 'archiving') await refundAsAssumed(tx, batch, { row, to, billing: policy.billing, nowMs });
    moves.push({ row, to, set: endFields(poll, { row, nowMs }) });
    if (poll.runTime) runTimes.push(poll.runTime);
  }
  await keepRunTimes(tx, batch, { runTimes, nowMs });
  await moveRows(tx, batch, { moves, nowMs });
}

async function rowsByKey(
  tx: Tx,
  batchId: string,
  polls: readonly { readonly rowKey: string }[],
): Promise<ReadonlyMap<string, RowRecord>> {
  const keys = polls.map(({ rowKey }) => rowKey);
  const rows = await tx
    .selectFrom('rows')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('row_key', 'in', keys)
    .execute();
  return new Map(rows.map((row) => [row.row_key, row]));
}

function endState(status: string): 'archiving' | 'failed' | 'canceled' {
  return status === 'completed' ? 'archiving' : status === 'canceled' ? 'canceled' : 'failed';
}

function endFields(
  { status, error }: Extract<Poll, { kind: 'answered' }>,
  { row, nowMs }: { readonly row: RowRecord; readonly nowMs: number },
) {
  const request = error?.requestId ? ` (request ${error.requestId})` : '';
  const said = error ? `${error.code}: ${error.message}${request}` : null;
  if (status === 'completed') return { finished_ms: nowMs, percent: 100 };
  if (status === 'failed') return { reason: said ?? 'the service reported a failure without a reason' };
  return { reason: row.cancel_ms === null ? 'canceled at the service, not by us' : (row.reason ?? 'canceled') };
}
