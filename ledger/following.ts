import { statusMeaning } from '../domain/movie-status.js';
import type { RowState } from '../domain/row-state.js';
import { lockBatch } from './batches.js';
import type { Ledger, Tx } from './ledger.js';
import { type BatchRecord, refund } from './movements.js';
import { readPolicy } from './policies.js';
import { moveRows, type RowMove, type RowRecord } from './row-moves.js';

export interface DueRow {
  readonly rowKey: string;
  readonly movieId: string;
  readonly orderedAtMs: number;
  readonly runtimeSeconds: number;
  readonly percent: number | null;
  readonly deadlineAtMs: number | null;
  /** A cancel was asked for that the service has not accepted yet. */
  readonly cancelDue: boolean;
  readonly polls: number;
}

export interface SliceOf {
  readonly batchId: string;
  readonly slice: number;
}

/** Running rows of a slice whose time to be looked at has come, the longest due first. */
export async function dueRows(
  ledger: Ledger,
  { batchId, slice, nowMs, limit }: SliceOf & { readonly nowMs: number; readonly limit: number },
): Promise<readonly DueRow[]> {
  const rows = await ledger.db
    .selectFrom('rows')
    .select(followed)
    .where('batch_id', '=', batchId)
    .where('slice', '=', slice)
    .where('follow_ms', '<=', nowMs)
    .where('state', '=', 'running')
    .orderBy('follow_ms')
    .limit(limit)
    .execute();
  return rows.map(dueRow);
}

export const followed = [
  ...(['row_key', 'movie_id', 'ordered_ms', 'runtime_seconds', 'percent', 'deadline_ms', 'polls'] as const),
  ...(['cancel_ms', 'cancel_sent_ms'] as const),
] as const;

export function dueRow(row: Pick<RowRecord, (typeof followed)[number]>): DueRow {
  return {
    rowKey: row.row_key,
    movieId: row.movie_id ?? '',
    orderedAtMs: row.ordered_ms ?? 0,
    runtimeSeconds: row.runtime_seconds ?? 0,
    percent: row.percent,
    deadlineAtMs: row.deadline_ms,
    cancelDue: row.cancel_ms !== null && row.cancel_sent_ms === null,
    polls: row.polls,
  };
}

/** What one look at a movie showed. */
export type Poll =
  | {
      readonly kind: 'answered';
      readonly rowKey: string;
      readonly movieId: string;
      readonly status: string;
      readonly percent: number | null;
      readonly stage: string | null;
      readonly error: { readonly code: string; readonly message: string } | null;
      /** This look was the cancel of the movie, and the service took it. */
      readonly cancelSent: boolean;
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
  readonly nowMs: number;
}

/**
 * Records a page of looks in one transaction. A movie that ended ends its row for its slice; a look that comes late,
 * after the row has ended or went on with another movie, changes nothing.
 */
export async function recordPolls(ledger: Ledger, { batchId, polls, nowMs }: PollPage): Promise<void> {
  await ledger.write(async (tx) => {
    const ends: Extract<Poll, { kind: 'answered' }>[] = [];
    for (const poll of polls) {
      const row = await recordLook(tx, { batchId, poll, nowMs });
      if (!row) continue;
      const isEnd = poll.kind === 'answered' && statusMeaning(poll.status).kind === 'end';
      const isOver = row.state === 'running' && row.deadline_ms !== null && nowMs >= row.deadline_ms;
      if (isEnd) ends.push(poll);
      else if (isOver) await passDeadline(tx, { batchId, rowKey: poll.rowKey, nowMs });
    }
    if (ends.length > 0) await endMovies(tx, { batchId, ends, nowMs });
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
  const answered =
    poll.kind === 'answered'
      ? {
          ...{ service_status: poll.status, percent: poll.percent, stage: poll.stage },
          alarm: alarmOf(poll),
          ...(poll.cancelSent ? { cancel_sent_ms: nowMs } : {}),
        }
      : { alarm: poll.alarm };
  return tx
    .updateTable('rows')
    .set((eb) => ({ ...answered, polls: eb('polls', '+', 1) }))
    .set((eb) => ({
      // An overdue row is looked at by whoever reconciles, not by the follower of its slice.
      follow_ms: eb.case().when('state', '=', 'running').then(poll.followAtMs).else(null).end(),
    }))
    .where('batch_id', '=', batchId)
    .where('row_key', '=', poll.rowKey)
    .where('movie_id', '=', poll.movieId)
    .where('state', 'in', ['running', 'overdue'])
    .returning(['state', 'deadline_ms'])
    .executeTakeFirst();
}

function alarmOf({ status }: Extract<Poll, { kind: 'answered' }>): string | null {
  const meaning = statusMeaning(status);
  return meaning.kind === 'under_way' ? meaning.alarm : null;
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
  for (const poll of ends) {
    const row = rows.get(poll.rowKey);
    // Under the lock now: another follower may have been faster.
    if (!row || row.movie_id !== poll.movieId || (row.state !== 'running' && row.state !== 'overdue')) continue;
    const to = endState(poll.status);
    if (to !== 'archiving' && policy.billing[to] === 'refunded') await refundRow(tx, batch, { row, to, nowMs });
    moves.push({ row, to, set: endFields(poll, { row, nowMs }) });
  }
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
  const said = error ? `${error.code}: ${error.message}` : null;
  if (status === 'completed') return { finished_ms: nowMs, percent: 100 };
  if (status === 'failed') return { reason: said ?? 'the service said that it failed, without a reason' };
  return { reason: row.cancel_ms === null ? 'canceled at the service, not by us' : (row.reason ?? 'canceled') };
}

interface RefundOf {
  readonly row: RowRecord;
  readonly to: 'failed' | 'canceled';
  readonly nowMs: number;
}

/** What policy takes the service not to charge; an invoice may say otherwise later. */
async function refundRow(tx: Tx, batch: BatchRecord, { row, to, nowMs }: RefundOf): Promise<void> {
  const { row_key: rowKey, attempt, amount_minor: amountMinor } = row;
  if (attempt === null || amountMinor === null) return;
  await refund(tx, batch, { rowKey, attempt, amountMinor, nowMs, note: `assumed: a ${to} movie is not charged` });
}

/** Still asked about, by whoever reconciles; its slice goes on without it. */
async function passDeadline(
  tx: Tx,
  { batchId, rowKey, nowMs }: { readonly batchId: string; readonly rowKey: string; readonly nowMs: number },
): Promise<void> {
  const batch = await lockBatch(tx, batchId);
  const { policy } = await readPolicy(tx);
  const row = (await rowsByKey(tx, batchId, [{ rowKey }])).get(rowKey);
  if (row?.state !== 'running') return;
  const canceled = policy.cancelOverdue && row.cancel_ms === null ? { cancel_ms: nowMs } : {};
  const set = { alarm: 'still not finished at its deadline', ...canceled };
  await moveRows(tx, batch, { moves: [{ row, to: 'overdue', set }], nowMs });
}

export interface SliceEnd {
  readonly rowKey: string;
  readonly state: 'completed' | 'failed' | 'canceled' | 'overdue' | 'unknown' | 'settled';
}

export interface SliceEnds {
  readonly ended: readonly SliceEnd[];
  /** The last end number in the answer, or the one that was asked after. */
  readonly seen: number;
  readonly running: number;
  readonly nextDueAtMs: number | null;
}

/** The rows of a slice that ended after an end number, in the order of their ends, as they stand now. */
export async function endsAfter(
  ledger: Ledger,
  { batchId, slice, seen }: SliceOf & { readonly seen: number },
): Promise<SliceEnds> {
  const ended = await ledger.db
    .selectFrom('rows')
    .select((eb) => ['row_key', 'state', eb.ref('end_number').$notNull().as('end_number')])
    .where('batch_id', '=', batchId)
    .where('slice', '=', slice)
    .where('end_number', '>', seen)
    .orderBy('end_number')
    .execute();
  const due = await ledger.db
    .selectFrom('rows')
    .select((eb) => [eb.fn.min('follow_ms').as('next'), eb.fn.countAll<number>().as('running')])
    .where('batch_id', '=', batchId)
    .where('slice', '=', slice)
    .where('follow_ms', 'is not', null)
    .executeTakeFirstOrThrow();
  return {
    ended: ended.map(({ row_key: rowKey, state }) => ({ rowKey, state: sliceState(state) })),
    seen: ended.at(-1)?.end_number ?? seen,
    running: due.running,
    nextDueAtMs: due.next,
  };
}

function sliceState(state: RowState): SliceEnd['state'] {
  if (state === 'archiving') return 'completed';
  return state === 'failed' || state === 'canceled' || state === 'overdue' || state === 'unknown' ? state : 'settled';
}

/** Until when the slice's follower sleeps: a row that is due before is told so by its admission. */
export async function setWakeUp(
  ledger: Ledger,
  { batchId, slice, wakeAtMs }: SliceOf & { readonly wakeAtMs: number },
): Promise<void> {
  await ledger.write((tx) =>
    tx
      .updateTable('slices')
      .set({ wake_ms: wakeAtMs })
      .where('batch_id', '=', batchId)
      .where('slice', '=', slice)
      .execute(),
  );
}

/** The service told of a movie: it is looked at now. Null when no running row has it; what was told is not believed. */
export async function nudgeMovie(
  ledger: Ledger,
  { movieId, nowMs }: { readonly movieId: string; readonly nowMs: number },
): Promise<SliceOf | null> {
  return ledger.write(async (tx) => {
    const row = await tx
      .updateTable('rows')
      .set({ follow_ms: nowMs })
      .where('movie_id', '=', movieId)
      .where('state', '=', 'running')
      .returning(['batch_id', 'slice'])
      .executeTakeFirst();
    return row?.slice == null ? null : { batchId: row.batch_id, slice: row.slice };
  });
}
