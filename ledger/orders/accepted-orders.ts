import { sql } from 'kysely';
import type { CreateAnswer } from '../../domain/answers/create-answer.js';
import { type CreateOutcome, createOutcome } from '../../domain/answers/create-outcome.js';
import { deadlineMs } from '../../domain/policy.js';
import { readPolicy } from '../access/policies.js';
import { type BatchRecord, settingsOf } from '../batches/batch-record.js';
import type { RowRecord } from '../batches/row-record.js';
import { amongRecords } from '../database/json-records.js';
import { inOneJourney } from '../database/one-journey.js';
import { onPostgres } from '../database/postgres.js';
import { preparedForMany } from '../database/prepared-query.js';
import type { Tx } from '../ledger.js';
import { type Movement, post } from '../money/movements.js';
import { ordersOfMovies, type SendOf, setMovies } from '../money/orders.js';
import { moveRows } from '../progress/row-transitions.js';
import type { AnswerRecorded, NewAnswer } from './record-answer.js';
import { noteAnswers } from './sends.js';

/* Orders that the service accepted are recorded by the same few statements, however many they are. */

/** With the time of the database, in the transaction. */
export type TimedAnswer = NewAnswer & { readonly nowMs: number };

export interface Given {
  readonly row: RowRecord;
  readonly given: TimedAnswer;
}

/** Orders that the service accepted, with a movie that pays for no other one, by row key. */
export async function acceptedOf(
  tx: Tx,
  batch: BatchRecord,
  givens: readonly Given[],
): Promise<ReadonlyMap<string, AcceptedOrder>> {
  const expected = givens.flatMap((each) => {
    const { answer, send } = each.given;
    return answer.kind === 'movie' && send !== undefined && isExpected(each) ? [{ each, answer, send }] : [];
  });
  const payers = await ordersOfMovies(
    tx,
    batch.service_no,
    expected.map(({ answer }) => answer.movieId),
  );
  const accepted = new Map<string, AcceptedOrder>();
  for (const { each, answer, send } of expected) {
    if (isAnother(payers.get(answer.movieId), each)) continue;
    const outcome = acceptance(each, answer);
    if (outcome.kind === 'running') accepted.set(each.row.row_key, { ...each, outcome, send });
  }
  return accepted;
}

/** Whether the row waits for this answer: it may have gone on without it. */
export function isExpected({ row, given }: Given): boolean {
  return row.attempt === given.attempt && expectsAnswer(row, given);
}

/** A row that waits for its answer; also an unknown one, if this is the proof that it lacked. */
function expectsAnswer({ state }: RowRecord, { answer }: NewAnswer): boolean {
  return state === 'ordering' || (state === 'unknown' && answer.kind === 'movie');
}

type MovieAnswer = Extract<CreateAnswer, { kind: 'movie' }>;

export function acceptance({ row }: Given, answer: MovieAnswer): CreateOutcome {
  const situation = { earlierMayHaveArrived: row.uncertain_sends > 1, canceled: row.cancel_ms !== null };
  return createOutcome(answer, { mode: 'none', ...situation, withinWindow: true });
}

/** Whether the order that a movie pays for is another one than that of the answer. */
export function isAnother(payer: SendOf | undefined, { row, given }: Given): boolean {
  if (!payer) return false;
  return payer.lineageNo !== row.lineage_no || payer.rowKey !== row.row_key || payer.attempt !== given.attempt;
}

type Running = Extract<CreateOutcome, { kind: 'running' }>;

export interface AcceptedOrder extends Given {
  readonly outcome: Running;
  readonly send: number;
}

/** @returns what was recorded of each, by row key. */
export async function recordAccepted(
  tx: Tx,
  batch: BatchRecord,
  accepted: readonly AcceptedOrder[],
): Promise<ReadonlyMap<string, AnswerRecorded>> {
  const [first] = accepted;
  if (!first) return new Map();
  const answers = accepted.map(({ send, given: { answer, requestId = null } }) => ({
    ...{ send, answer: JSON.stringify(answer), requestId },
  }));
  await noteAnswers(tx, answers, first.given.nowMs);
  return run(tx, batch, accepted);
}

export async function run(
  tx: Tx,
  batch: BatchRecord,
  accepted: readonly (Given & { readonly outcome: Running })[],
): Promise<ReadonlyMap<string, AnswerRecorded>> {
  const movements = accepted.map(({ row, given }) => movementOf(row, given));
  const movies = accepted.map(({ row, given: { attempt }, outcome: { movieId } }) => ({
    ...{ rowKey: row.row_key, attempt, movieId },
  }));
  const [, , { policy }] = await inOneJourney([
    post(tx, batch, movements),
    setMovies(tx, batch.lineage_no, movies),
    readPolicy(tx),
  ]);
  const moves = accepted.map(({ row, given, outcome: { movieId, alarm } }) => {
    const { nowMs } = given;
    const set = {
      ...{ movie_id: movieId, ordered_ms: nowMs, follow_ms: firstLookMs(row, given), uncertain_sends: 0, resend: 0 },
      ...{ reason: row.cancel_ms === null ? null : row.reason, alarm, service_status: 'queued' },
      alarm_ms: nowMs,
      deadline_ms: deadlineMs(nowMs, settingsOf(batch), policy),
    };
    return { row, to: 'running' as const, set };
  });
  await moveRows(tx, batch, { moves, nowMs: Math.max(...accepted.map(({ given }) => given.nowMs)) });
  const slices = [...new Set(accepted.map(({ row }) => row.slice ?? -1))].map((slice) => ({ slice }));
  const followed = await wakeUps(tx, slices, { batchId: batch.batch_id });
  const wakeMs = new Map(followed.map(({ slice, wake_ms }) => [slice, wake_ms]));
  return new Map(
    accepted.map(({ row, given }) => {
      const soon = firstLookMs(row, given) < (wakeMs.get(row.slice ?? -1) ?? 0);
      return [row.row_key, { kind: 'running', soon }];
    }),
  );
}

/** Cancelled while it was on its way: the follower is to tell the service at once. */
function firstLookMs({ cancel_ms }: RowRecord, { nowMs, followInMs }: TimedAnswer): number {
  return cancel_ms === null ? nowMs + followInMs : nowMs;
}

/** Locked, or a follower that lies down at this moment and we would both miss each other. */
const wakeUps = preparedForMany<
  { readonly slice: number },
  { readonly batchId: string },
  { readonly slice: number; readonly wake_ms: number }
>({ slice: 'int' }, (db, { batchId }) => {
  const lock = onPostgres(db) ? sql`order by slices.slice for share of slices` : sql``;
  return sql`
    select slices.slice, slices.wake_ms from own cross join slices
    where slices.batch_id = ${batchId} and slices.slice = own.slice and ${amongRecords(db, 'slices.slice', 'slice')} ${lock}`;
});

export function movementOf(row: RowRecord, { attempt, nowMs }: TimedAnswer): Movement {
  return { rowKey: row.row_key, attempt, amountMinor: row.amount_minor ?? 0, nowMs };
}
