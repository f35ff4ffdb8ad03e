import type { CreateAnswer } from '../../domain/answers/create-answer.js';
import { type CreateOutcome, createOutcome } from '../../domain/answers/create-outcome.js';
import { remembersKey } from '../../domain/deadlines/key-window.js';
import { appendAudit } from '../access/audit.js';
import { readPolicy } from '../access/policies.js';
import { causeOf } from '../batches/alarms.js';
import { type BatchRecord, lockBatch } from '../batches/batch-record.js';
import { readRowRecords, setRow } from '../batches/row-record.js';
import { unknownRow } from '../batches/rows.js';
import { inOneJourney } from '../database/one-journey.js';
import { alone, together } from '../database/together.js';
import type { Ledger, Tx } from '../ledger.js';
import { release } from '../money/movements.js';
import { ordersOfMovies } from '../money/orders.js';
import { moveRows } from '../progress/row-transitions.js';
import { giveBackCanaryPlace } from '../stops/canary.js';
import { stopBatch } from '../stops/stops.js';
import {
  acceptance,
  acceptedOf,
  type Given,
  isAnother,
  isExpected,
  movementOf,
  recordAccepted,
  run,
} from './accepted-orders.js';
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

export type AnswerRecorded =
  | { readonly kind: 'running'; readonly soon: boolean }
  | { readonly kind: 'settled' }
  | { readonly kind: 'blocked' }
  | { readonly kind: 'wait'; readonly delayMs: number; readonly message: string };

const answerTogether = together<NewAnswer, AnswerRecorded, BatchRecord>({
  durable: false,
  keyOf: ({ batchId }) => batchId,
  // Of two answers with one movie, the second is another order's.
  namesOf: ({ rowKey, answer }) => [rowKey, ...(answer.kind === 'movie' ? [`movie ${answer.movieId}`] : [])],
  lock: lockBatch,
  serve: recordAnswers,
});

/**
 * Records what was learned from one send and does what the table of outcomes says (`createOutcome`). An answer to an
 * attempt that the row has left behind is kept and changes nothing.
 */
export async function recordAnswer(ledger: Ledger, answered: NewAnswer): Promise<AnswerRecorded> {
  return answerTogether(ledger, answered);
}

/** Accepted orders are recorded together; whatever else was answered has a transaction of its own. */
async function recordAnswers(
  tx: Tx,
  answers: readonly NewAnswer[],
  { ledger, locked: batch }: { readonly ledger: Ledger; readonly locked: BatchRecord },
): Promise<readonly (AnswerRecorded | typeof alone)[]> {
  const { batch_id: batchId } = batch;
  const keys = answers.map(({ rowKey }) => rowKey);
  const [nowMs, rows] = await inOneJourney([ledger.now(tx), readRowRecords(tx, batchId, keys)]);
  const givens = answers.map((answered): Given => {
    const row = rows.get(answered.rowKey);
    if (!row) throw unknownRow(batchId, answered.rowKey);
    return { row, given: { ...answered, nowMs } };
  });
  const accepted = await acceptedOf(tx, batch, givens);
  const [only, ...others] = givens;
  if (only && others.length === 0 && accepted.size === 0) return [await recordOther(tx, batch, only)];
  const recorded = await recordAccepted(tx, batch, [...accepted.values()]);
  return givens.map(({ given }) => recorded.get(given.rowKey) ?? alone);
}

/** What is done by any answer but that of an accepted order whose send is named. */
async function recordOther(tx: Tx, batch: BatchRecord, { row, given }: Given): Promise<AnswerRecorded> {
  const { rowKey, attempt, send, answer, requestId = null, nowMs } = given;
  const order = { lineageNo: row.lineage_no, rowKey, attempt };
  const sends = await noteAnswer(tx, { ...order, send, answer: JSON.stringify(answer), requestId, nowMs });
  if (!isExpected({ row, given })) return lateAnswer(tx, batch, { row, given });
  const outcome = withRequest(await outcomeOf(tx, batch, { row, given }), requestId);
  return apply(tx, { batch, row, given, outcome, sends });
}

async function outcomeOf(tx: Tx, batch: BatchRecord, { row, given }: Given): Promise<CreateOutcome> {
  const { answer, nowMs } = given;
  if (answer.kind === 'movie') {
    const { movieId } = answer;
    const payers = await ordersOfMovies(tx, batch.service_no, [movieId]);
    if (!isAnother(payers.get(movieId), { row, given })) return acceptance({ row, given }, answer);
    const why = `the service answered with movie ${movieId}, which is another order's`;
    return { kind: 'unknown', why, stopBatch: false };
  }
  const { policy } = await readPolicy(tx);
  const { mode } = policy.idempotency;
  const withinWindow = remembersKey(row.first_sent_ms, nowMs, policy);
  const situation = { earlierMayHaveArrived: row.uncertain_sends > 1, canceled: row.cancel_ms !== null };
  return createOutcome(answer, { mode, ...situation, withinWindow });
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
    case 'running': {
      const recorded = await run(tx, batch, [{ row, given, outcome }]);
      return recorded.get(row.row_key) ?? { kind: 'settled' };
    }
    case 'again':
      return again(tx, applying, outcome);
    case 'canceled':
    case 'rejected':
      await release(tx, batch, [movementOf(row, given)]);
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

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

async function again(
  tx: Tx,
  { batch, row, given, sends }: Applying,
  { proved, delayMs: asked, why }: Extract<CreateOutcome, { kind: 'again' }>,
): Promise<AnswerRecorded> {
  const { nowMs, answer } = given;
  const delayMs = asked ?? Math.min(firstPauseMs * 2 ** (sends - 1), longestPauseMs);
  const alarm =
    answer.kind === 'withheld' ? why : `${why}; sent ${sends === 1 ? 'once' : `${sends} times`}, tried again`;
  const isSame = row.alarm !== null && causeOf(row.alarm) === causeOf(alarm);
  await setRow(tx, row, {
    next_send_ms: nowMs + delayMs,
    uncertain_sends: row.uncertain_sends - (proved ? 1 : 0),
    // A send that a person allowed and that certainly did nothing is still allowed.
    resend: proved && row.resend === 2 ? 1 : 0,
    ...{ alarm, alarm_ms: isSame ? (row.alarm_ms ?? nowMs) : nowMs },
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
  await release(tx, batch, [movementOf(row, given)]);
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
