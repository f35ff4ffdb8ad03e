import type { CreateAnswer } from '../../domain/answers/create-answer.js';
import { type CreateOutcome, createOutcome } from '../../domain/answers/create-outcome.js';
import { remembersKey } from '../../domain/key-window.js';
import { deadlineMs } from '../../domain/policy.js';
import { appendAudit } from '../access/audit.js';
import { readPolicy } from '../access/policies.js';
import { type BatchRecord, lockBatch, settingsOf } from '../batches/batch-record.js';
import { type RowRecord, readRowRecord, setRow } from '../batches/row-record.js';
import { onPostgres } from '../database/postgres.js';
import { prepared } from '../database/prepared-query.js';
import type { Ledger, Tx } from '../ledger.js';
import { type Movement, post, release } from '../money/movements.js';
import { orderOfMovie, setMovie } from '../money/orders.js';
import { giveBackCanaryPlace } from '../progress/canary.js';
import { moveRows } from '../progress/row-transitions.js';
import { stopBatch } from '../progress/stops.js';
import { noteAnswer } from './sends.js';

export interface NewAnswer {
  readonly batchId: string;
  readonly rowKey: string;
  readonly attempt: number;
  /** As the admission named it; without it the attempt's newest send without an answer is meant. */
  readonly send?: number;
  readonly answer: CreateAnswer;
  readonly requestId?: string | null;
  /** After how long to look at an accepted movie first. */
  readonly followInMs: number;
}

/** With the time of the database, in the transaction. */
type TimedAnswer = NewAnswer & { readonly nowMs: number };

export type AnswerRecorded =
  | { readonly kind: 'running'; readonly soon: boolean }
  | { readonly kind: 'settled' }
  | { readonly kind: 'blocked' }
  | { readonly kind: 'wait'; readonly delayMs: number; readonly message: string };

/**
 * Records what was learned from one send and does what the table of outcomes says (`createOutcome`). An answer to an
 * attempt that the row has left behind is kept and changes nothing.
 */
export async function recordAnswer(ledger: Ledger, answered: NewAnswer): Promise<AnswerRecorded> {
  return ledger.write(async (tx) => {
    const batch = await lockBatch(tx, answered.batchId);
    const given = { ...answered, nowMs: await ledger.now(tx) };
    const { rowKey, attempt, send, answer, requestId = null, nowMs } = given;
    const row = await readRowRecord(tx, given);
    const order = { lineageNo: row.lineage_no, rowKey, attempt };
    const sends = await noteAnswer(tx, { ...order, send, answer: JSON.stringify(answer), requestId, nowMs });
    if (row.attempt !== given.attempt || !expectsAnswer(row, given)) return lateAnswer(tx, batch, { row, given });
    const outcome = withRequest(await outcomeOf(tx, batch, { row, given }), requestId);
    return apply(tx, { batch, row, given, outcome, sends });
  });
}

/** A row that waits for its answer; also an unknown one, if this is the proof that it lacked. */
function expectsAnswer({ state }: RowRecord, { answer }: NewAnswer): boolean {
  return state === 'ordering' || (state === 'unknown' && answer.kind === 'movie');
}

interface Given {
  readonly row: RowRecord;
  readonly given: TimedAnswer;
}

async function outcomeOf(tx: Tx, batch: BatchRecord, { row, given }: Given): Promise<CreateOutcome> {
  const { answer, nowMs } = given;
  const earlierMayHaveArrived = row.uncertain_sends > 1;
  const canceled = row.cancel_ms !== null;
  if (answer.kind === 'movie') {
    if (await paysForAnother(tx, batch, { row, given, movieId: answer.movieId })) {
      const why = `the service answered with movie ${answer.movieId}, which is another order's`;
      return { kind: 'unknown', why, stopBatch: false };
    }
    return createOutcome(answer, { mode: 'none', earlierMayHaveArrived, canceled, withinWindow: true });
  }
  const { policy } = await readPolicy(tx);
  const { mode } = policy.idempotency;
  const withinWindow = remembersKey(row.first_sent_ms, nowMs, policy);
  return createOutcome(answer, { mode, earlierMayHaveArrived, canceled, withinWindow });
}

async function paysForAnother(
  tx: Tx,
  { service_no }: BatchRecord,
  { row, given, movieId }: Given & { readonly movieId: string },
): Promise<boolean> {
  const other = await orderOfMovie(tx, service_no, movieId);
  if (!other) return false;
  const { lineageNo, rowKey, attempt } = other;
  return lineageNo !== row.lineage_no || rowKey !== row.row_key || attempt !== given.attempt;
}

/** The service's own name of the request, by which its people find it. */
function withRequest(outcome: CreateOutcome, requestId: string | null): CreateOutcome {
  if (requestId === null || outcome.kind === 'running' || outcome.why.includes(requestId)) return outcome;
  return { ...outcome, why: `${outcome.why} (request ${requestId})` };
}

interface Applying extends Given {
  readonly batch: BatchRecord;
  readonly outcome: CreateOutcome;
  readonly sends: number;
}

async function apply(tx: Tx, applying: Applying): Promise<AnswerRecorded> {
  const { batch, row, given, outcome, sends } = applying;
  const { nowMs } = given;
  switch (outcome.kind) {
    case 'running':
      return run(tx, applying, outcome);
    case 'again':
      return again(tx, applying, outcome);
    case 'canceled':
    case 'rejected':
      await release(tx, batch, movementOf(row, given));
      await moveRows(tx, batch, {
        moves: [{ row, to: outcome.kind, set: { reason: outcome.why, uncertain_sends: 0 } }],
        nowMs,
      });
      return { kind: 'settled' };
    case 'replanned':
      return planAgain(tx, applying, outcome.why);
    case 'unknown': {
      const reason = `${outcome.why} (${sends === 1 ? '1 send' : `${sends} sends`})`;
      await moveRows(tx, batch, { moves: [{ row, to: 'unknown', set: { reason, resend: 0 } }], nowMs });
      if (outcome.stopBatch) await stopBatch(tx, batch, { kind: 'credentials', detail: outcome.why, nowMs });
      return { kind: 'settled' };
    }
    default:
      return outcome satisfies never;
  }
}

async function run(
  tx: Tx,
  { batch, row, given }: Applying,
  { movieId, alarm }: Extract<CreateOutcome, { kind: 'running' }>,
): Promise<AnswerRecorded> {
  const { attempt, nowMs } = given;
  await post(tx, batch, movementOf(row, given));
  await setMovie(tx, { lineageNo: row.lineage_no, rowKey: row.row_key, attempt }, movieId);
  const { policy } = await readPolicy(tx);
  // Cancelled while it was on its way: the follower is to tell the service at once.
  const followMs = row.cancel_ms === null ? nowMs + given.followInMs : nowMs;
  await moveRows(tx, batch, {
    moves: [
      {
        row,
        to: 'running',
        set: {
          ...{ movie_id: movieId, ordered_ms: nowMs, follow_ms: followMs, uncertain_sends: 0, resend: 0 },
          ...{ reason: row.cancel_ms === null ? null : row.reason, alarm, service_status: 'queued' },
          alarm_ms: nowMs,
          deadline_ms: deadlineMs(nowMs, settingsOf(batch), policy),
        },
      },
    ],
    nowMs,
  });
  const [slice] = await wakeUp(tx, { batchId: batch.batch_id, slice: row.slice ?? -1 });
  return { kind: 'running', soon: followMs < (slice?.wake_ms ?? 0) };
}

/** Locked, or a follower that lies down at this moment and we would both miss each other. */
const wakeUp = prepared((db, { batchId, slice }: { readonly batchId: string; readonly slice: number }) => {
  const query = db.selectFrom('slices').select('wake_ms').where('batch_id', '=', batchId).where('slice', '=', slice);
  return onPostgres(db) ? query.forShare() : query;
});

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

async function again(
  tx: Tx,
  { batch, row, given, sends }: Applying,
  { proved, delayMs: asked, why }: Extract<CreateOutcome, { kind: 'again' }>,
): Promise<AnswerRecorded> {
  const { nowMs, answer } = given;
  const delayMs = asked ?? Math.min(firstPauseMs * 2 ** (sends - 1), longestPauseMs);
  await setRow(tx, row, {
    next_send_ms: nowMs + delayMs,
    uncertain_sends: row.uncertain_sends - (proved ? 1 : 0),
    // A send that a person allowed and that certainly did nothing is still allowed.
    resend: proved && row.resend === 2 ? 1 : 0,
    alarm: answer.kind === 'withheld' ? why : `${why}; sent ${sends === 1 ? 'once' : `${sends} times`}, tried again`,
  });
  if (asksAllToWait(answer)) {
    await tx
      .updateTable('services')
      .set({ not_before_ms: nowMs + delayMs })
      .where('service_no', '=', batch.service_no)
      .where('not_before_ms', '<', nowMs + delayMs)
      .execute();
  }
  return { kind: 'wait', delayMs, message: why };
}

/** The service is busy: so it is for every order, until the time that it said. */
function asksAllToWait(answer: CreateAnswer): boolean {
  if (answer.kind === 'lost') return (answer.retryAfterMs ?? null) !== null;
  return answer.kind === 'refused' && answer.status === 429;
}

/** Our credentials, not the row: its money goes back, it waits as it did before, and the batch asks for a person. */
async function planAgain(tx: Tx, { batch, row, given }: Applying, why: string): Promise<AnswerRecorded> {
  const { nowMs } = given;
  await release(tx, batch, movementOf(row, given));
  const blocked = {
    blocked_reason: 'credentials',
    blocked_ms: nowMs,
    uncertain_sends: 0,
    resend: 0,
    attempt: null,
    alarm: null,
  };
  await moveRows(tx, batch, { moves: [{ row, to: 'blocked', set: { ...blocked, reason: why } }], nowMs });
  await giveBackCanaryPlace(tx, batch.batch_id);
  await stopBatch(tx, batch, { kind: 'credentials', detail: why, nowMs });
  return { kind: 'blocked' };
}

/** The row went on without this answer. A movie in it was paid for nobody knows what: it is kept for an audit. */
async function lateAnswer(tx: Tx, batch: BatchRecord, { row, given }: Given): Promise<AnswerRecorded> {
  const { answer, attempt, nowMs } = given;
  if (answer.kind === 'movie' && answer.movieId !== row.movie_id) {
    const actor = { name: 'greenlight', channel: 'system' } as const;
    const detail = { row: row.row_key, attempt, movie_id: answer.movieId };
    await appendAudit(tx, { atMs: nowMs, actor, act: 'late_answer', object: batch.batch_id, detail });
  }
  switch (row.state) {
    case 'running':
    case 'archiving':
      return { kind: 'running', soon: false };
    case 'ordering':
      return { kind: 'wait', delayMs: firstPauseMs, message: 'another send of the row is under way' };
    case 'planned':
    case 'blocked':
      return { kind: 'blocked' };
    default:
      return { kind: 'settled' };
  }
}

function movementOf(row: RowRecord, { attempt, nowMs }: TimedAnswer): Movement {
  return { rowKey: row.row_key, attempt, amountMinor: row.amount_minor ?? 0, nowMs };
}
