import { sql } from 'kysely';
import { statusMeaning } from '../../domain/answers/movie-status.js';
import type { RunTime } from '../../domain/run-times.js';
import { lockBatch } from '../batches/batch-record.js';
import { type RowRecord, readRowRecords } from '../batches/row-record.js';
import { amongRecords } from '../database/json-records.js';
import { preparedForMany } from '../database/prepared-query.js';
import type { Ledger, Tx } from '../ledger.js';
import { refundAsAssumed, type UnfinishedMovie } from '../money/assumed-refund.js';
import { alarmsSince } from './alarm-since.js';
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
  const ends = polls.filter(isEnd);
  const underWay = polls.filter((poll) => !isEnd(poll));
  await ledger.write(async (tx) => {
    const nowMs = await ledger.now(tx);
    // First: the lock of a batch is taken before those of its rows.
    if (ends.length > 0) await endMovies(tx, { batchId, ends, nowMs });
    if (underWay.length === 0) return;
    const looked = await recordLooks(tx, { batchId, polls: underWay, nowMs });
    const over = looked.filter((row) => isPastDeadline(row, nowMs));
    for (const { row_key: rowKey } of over) await passDeadline(tx, { batchId, rowKey, nowMs });
  });
}

type AnsweredPoll = Extract<Poll, { kind: 'answered' }>;
type Looked = Pick<RowRecord, 'row_key' | 'state' | 'deadline_ms'>;

function isEnd(poll: Poll): poll is AnsweredPoll {
  return poll.kind === 'answered' && statusMeaning(poll.status).kind === 'end';
}

interface Looks {
  readonly batchId: string;
  readonly polls: readonly Poll[];
  readonly nowMs: number;
}

/**
 * Of movies that are under way, or that the service said nothing of.
 *
 * @returns the rows, without those whose look came too late.
 */
async function recordLooks(tx: Tx, { batchId, polls, nowMs }: Looks): Promise<readonly Looked[]> {
  const alarms = polls.map((poll) => ({
    rowKey: poll.rowKey,
    alarm: poll.kind === 'unanswered' ? poll.alarm : alarmOf(poll),
  }));
  const since = await alarmsSince(tx, { batchId, alarms, nowMs });
  const looks = polls.map((poll, index): Look => {
    const { rowKey, movieId, followAtMs } = poll;
    const of = {
      ...{ row_key: rowKey, movie_id: movieId, next_ms: followAtMs },
      ...{ look_alarm: alarms[index]?.alarm ?? null, since_ms: since.get(rowKey) ?? null },
    };
    if (poll.kind === 'unanswered') return { ...of, ...nothingLearned };
    return {
      ...of,
      ...{ answered: 1, status: poll.status, look_percent: poll.percent, look_stage: poll.stage },
      ...{ sent_ms: poll.cancelSent ? nowMs : null, seen_ms: nowMs },
    };
  });
  return record(tx, looks, { batchId });
}

/** A look as the statement takes it. */
interface Look {
  readonly row_key: string;
  readonly movie_id: string;
  readonly next_ms: number;
  /** 0: the service gave no answer, and what is known stays. */
  readonly answered: number;
  readonly status: string | null;
  readonly look_percent: number | null;
  readonly look_stage: string | null;
  readonly look_alarm: string | null;
  readonly since_ms: number | null;
  readonly sent_ms: number | null;
  readonly seen_ms: number | null;
}

const nothingLearned = {
  ...{ answered: 0, status: null, look_percent: null, look_stage: null, sent_ms: null, seen_ms: null },
} as const;

/**
 * An overdue row is looked at by whoever reconciles, not by the follower of its slice. Rows are found by their keys: said so
 * (`is true`), PostgreSQL does not try the index of movies.
 */
const record = preparedForMany<Look, { readonly batchId: string }, Looked>(
  {
    ...{ row_key: 'text', movie_id: 'text', next_ms: 'int', answered: 'int', status: 'text', look_percent: 'int' },
    ...{ look_stage: 'text', look_alarm: 'text', since_ms: 'int', sent_ms: 'int', seen_ms: 'int' },
  },
  (db, { batchId }) => sql`
    update rows set
      service_status = case own.answered when 1 then own.status else rows.service_status end,
      percent = case own.answered when 1 then own.look_percent else rows.percent end,
      stage = case own.answered when 1 then own.look_stage else rows.stage end,
      alarm = ${alarmNow(sql.ref('own.look_alarm'))},
      alarm_ms = own.since_ms,
      polls = rows.polls + 1,
      follow_ms = case rows.state when 'running' then own.next_ms end,
      cancel_sent_ms = coalesce(own.sent_ms, rows.cancel_sent_ms),
      looked_ms = coalesce(own.seen_ms, rows.looked_ms)
    from own
    where rows.batch_id = ${batchId} and rows.row_key = own.row_key
      and (rows.movie_id = own.movie_id) is true
      and rows.state || '' in ('running', 'overdue') and ${amongRecords(db, 'rows.row_key', 'row_key')}
    returning rows.row_key, rows.state, rows.deadline_ms`,
);

function alarmOf({ status, alarm = null }: AnsweredPoll): string | null {
  const meaning = statusMeaning(status);
  return meaning.kind === 'under_way' ? (meaning.alarm ?? alarm) : null;
}

interface Endings {
  readonly batchId: string;
  readonly ends: readonly AnsweredPoll[];
  readonly nowMs: number;
}

async function endMovies(tx: Tx, { batchId, ends, nowMs }: Endings): Promise<void> {
  const batch = await lockBatch(tx, batchId);
  const rows = await readRowRecords(
    tx,
    batchId,
    ends.map(({ rowKey }) => rowKey),
  );
  const moves: RowMove[] = [];
  const unfinished: UnfinishedMovie[] = [];
  const runTimes: RunTime[] = [];
  for (const poll of ends) {
    const row = rows.get(poll.rowKey);
    // Under the lock now: another follower may have been faster.
    if (!row || row.movie_id !== poll.movieId || (row.state !== 'running' && row.state !== 'overdue')) continue;
    const to = endState(poll.status);
    if (to !== 'archiving') unfinished.push({ row, to });
    moves.push({ row, to, set: { ...lastLook(poll, { row, nowMs }), ...endFields(poll, { row, nowMs }) } });
    if (poll.runTime) runTimes.push(poll.runTime);
  }
  await refundAsAssumed(tx, batch, { unfinished, nowMs });
  await keepRunTimes(tx, batch, { runTimes, nowMs });
  await moveRows(tx, batch, { moves, nowMs });
}

function endState(status: string): 'archiving' | 'failed' | 'canceled' {
  return status === 'completed' ? 'archiving' : status === 'canceled' ? 'canceled' : 'failed';
}

interface Ended {
  readonly row: RowRecord;
  readonly nowMs: number;
}

function lastLook({ status, percent, stage, cancelSent }: AnsweredPoll, { row, nowMs }: Ended) {
  return {
    ...{ service_status: status, percent, stage, alarm_ms: null, polls: row.polls + 1 },
    cancel_sent_ms: cancelSent ? nowMs : row.cancel_sent_ms,
  };
}

function endFields({ status, error }: AnsweredPoll, { row, nowMs }: Ended) {
  const request = error?.requestId ? ` (request ${error.requestId})` : '';
  const said = error ? `${error.code}: ${error.message}${request}` : null;
  if (status === 'completed') return { finished_ms: nowMs, percent: 100 };
  if (status === 'failed') return { reason: said ?? 'the service reported a failure without a reason' };
  return { reason: row.cancel_ms === null ? 'canceled at the service, not by us' : (row.reason ?? 'canceled') };
}
