import type { RowState } from '../../domain/row-state.js';
import type { RowRecord } from '../batches/row-record.js';
import { prepared } from '../database/prepared-query.js';
import type { Ledger } from '../ledger.js';

export interface DueRow {
  readonly rowKey: string;
  readonly movieId: string;
  readonly orderedAtMs: number;
  readonly runtimeSeconds: number;
  readonly percent: number | null;
  /** When it was seen running for the last time. */
  readonly lookedAtMs: number | null;
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

/** All running rows of a slice that wait for a look, but for those whose service may have named the time of it. */
export async function waitingRows(ledger: Ledger, { batchId, slice }: SliceOf): Promise<readonly DueRow[]> {
  const rows = await ledger.db
    .selectFrom('rows')
    .select(followed)
    .where('batch_id', '=', batchId)
    .where('slice', '=', slice)
    .where('follow_ms', 'is not', null)
    .where('state', '=', 'running')
    .where('alarm', 'is', null)
    .execute();
  return rows.map(dueRow);
}

export interface Sooner {
  readonly batchId: string;
  readonly rowKey: string;
  readonly followAtMs: number;
}

const sooner = prepared((db, { batchId, rowKey, followAtMs }: Sooner) =>
  db
    .updateTable('rows')
    .set({ follow_ms: followAtMs })
    .where('batch_id', '=', batchId)
    .where('row_key', '=', rowKey)
    .where('state', '=', 'running')
    .where('follow_ms', '>', followAtMs),
);

/** Brings looks forward; one that is due before stays where it is. */
export async function lookSooner(ledger: Ledger, looks: readonly Sooner[]): Promise<void> {
  if (looks.length === 0) return;
  await ledger.write(async (tx) => {
    for (const look of looks) await sooner(tx, look);
  });
}

export const followed = [
  ...(['row_key', 'movie_id', 'ordered_ms', 'runtime_seconds', 'percent', 'deadline_ms', 'polls'] as const),
  ...(['cancel_ms', 'cancel_sent_ms', 'looked_ms'] as const),
] as const;

export function dueRow(row: Pick<RowRecord, (typeof followed)[number]>): DueRow {
  return {
    rowKey: row.row_key,
    movieId: row.movie_id ?? '',
    orderedAtMs: row.ordered_ms ?? 0,
    runtimeSeconds: row.runtime_seconds ?? 0,
    percent: row.percent,
    lookedAtMs: row.looked_ms,
    deadlineAtMs: row.deadline_ms,
    cancelDue: row.cancel_ms !== null && row.cancel_sent_ms === null,
    polls: row.polls,
  };
}

export interface SliceEnd {
  readonly rowKey: string;
  /** From its acceptance to the look that showed its end; null where it has none. */
  readonly tookMs: number | null;
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
    .select((eb) => ['row_key', 'state', 'ordered_ms', 'finished_ms', eb.ref('end_number').$notNull().as('end_number')])
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
    ended: ended.map(({ row_key: rowKey, state, ordered_ms, finished_ms }) => ({
      ...{ rowKey, state: sliceState(state) },
      tookMs: ordered_ms === null || finished_ms === null ? null : finished_ms - ordered_ms,
    })),
    seen: ended.at(-1)?.end_number ?? seen,
    running: due.running,
    nextDueAtMs: due.next,
  };
}

const waiting = prepared((db, { batchId, slice }: SliceOf) =>
  db
    .selectFrom('slices')
    .innerJoin('rows', (join) =>
      join
        .onRef('rows.batch_id', '=', 'slices.batch_id')
        .onRef('rows.position', '>=', 'slices.first_position')
        .onRef('rows.position', '<=', 'slices.last_position'),
    )
    .select('rows.position')
    .where('slices.batch_id', '=', batchId)
    .where('slices.slice', '=', slice)
    .where('rows.slice', '=', slice)
    .where('rows.state', 'in', ['planned', 'blocked'])
    .limit(1),
);

/** Whether a row of the slice is still to be ordered. */
export async function someWait({ db }: Ledger, { batchId, slice }: SliceOf): Promise<boolean> {
  return (await waiting(db, { batchId, slice })).length > 0;
}

function sliceState(state: RowState): SliceEnd['state'] {
  if (state === 'archiving') return 'completed';
  return state === 'failed' || state === 'canceled' || state === 'overdue' || state === 'unknown' ? state : 'settled';
}

/**
 * Until when the slice's follower means to sleep: a row that is due before is told so by its admission, and an event
 * of a movie wakes it.
 *
 * @returns false when a row became due before that while the follower looked: then it has to look again.
 */
export async function setWakeUp(
  ledger: Ledger,
  { batchId, slice, wakeAtMs }: SliceOf & { readonly wakeAtMs: number },
): Promise<boolean> {
  return ledger.write(async (tx) => {
    const set = (wakeMs: number) =>
      tx
        .updateTable('slices')
        .set({ wake_ms: wakeMs })
        .where('batch_id', '=', batchId)
        .where('slice', '=', slice)
        .execute();
    // The lock first: whoever makes a row due either sees this wake-up, or is seen here.
    await set(wakeAtMs);
    const earlier = await tx
      .selectFrom('rows')
      .select('position')
      .where('batch_id', '=', batchId)
      .where('slice', '=', slice)
      .where('follow_ms', '<', wakeAtMs)
      .limit(1)
      .executeTakeFirst();
    if (earlier) await set(0);
    return earlier === undefined;
  });
}
