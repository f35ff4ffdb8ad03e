import { type EchoedFields, echoOf } from '../../domain/answers/create-answer.js';
import { isMovieId } from '../../domain/movie-id.js';
import { deadlineMs } from '../../domain/policy.js';
import type { RowState } from '../../domain/row-state.js';
import { appendAudit } from '../access/audit.js';
import { auditedAct } from '../access/audited-act.js';
import { mayOpen } from '../access/four-eyes.js';
import { readPolicy } from '../access/policies.js';
import { type BatchRecord, lockBatch, settingsOf } from '../batches/batch-record.js';
import { type RowRecord, readRowRecord } from '../batches/row-record.js';
import { type Ledger, LedgerError, type Tx } from '../ledger.js';
import { type Movement, post, refund, release } from '../money/movements.js';
import { ordersOfMovies, requestOf, setMovies } from '../money/orders.js';
import { moveRows } from '../progress/row-transitions.js';
import { findProposal, type NewProposal, propose, type Resolution, sameResolution } from './proposals.js';
import { namedByService } from './sends.js';

export interface ResolveRequest extends NewProposal {
  /** The movie of `created` as the service shows it to whoever resolves; nobody is believed without it. */
  readonly movie?: EchoedFields;
}

export type Resolved =
  | { readonly state: 'proposed'; readonly by: string }
  | { readonly state: 'resolved'; readonly by: string; readonly proposedBy: string };

/**
 * Says what became of an order that nobody knows the outcome of, or that found no end: an unknown one, a movie past
 * its deadline, a finished one whose files cannot be had. One person says it and a second one confirms it with the
 * same words; who works alone does both. Then it takes effect, in the same transaction.
 *
 * @throws LedgerError for a row in another state, a movie that pays for another order or was made from another brief,
 * a resend after a cancel.
 */
export async function resolveUnknown(ledger: Ledger, request: ResolveRequest): Promise<Resolved> {
  const { batchId, rowKey, resolution, actor, nowMs } = request;
  return auditedAct(ledger, { actor, act: 'resolve', object: `${batchId} ${rowKey}`, nowMs }, async (tx) => {
    const batch = await lockBatch(tx, batchId);
    const row = await readRowRecord(tx, { batchId, rowKey });
    await assertPossible(tx, batch, { row, request });
    const said = await findProposal(tx, batchId, rowKey);
    const agreed = said !== null && sameResolution(said.resolution, resolution);
    const proposal = agreed ? said : await propose(tx, request);
    const audit = (act: string, more = {}) =>
      appendAudit(tx, {
        ...{ atMs: nowMs, actor, act, object: batchId },
        detail: { row: rowKey, ...resolution, ...more },
      });
    const permission = await mayOpen(tx, { actor, act: 'resolve', askedBy: proposal.by });
    if (!permission.allowed) {
      if (!agreed) await audit('resolve_proposed');
      return { state: 'proposed', by: proposal.by };
    }
    await tx.deleteFrom('proposals').where('batch_id', '=', batchId).where('row_key', '=', rowKey).execute();
    await resolve(tx, batch, { row, request });
    await audit('resolve', { proposed_by: proposal.by, self_approved: permission.selfApproved });
    return { state: 'resolved', by: actor.name, proposedBy: proposal.by };
  });
}

interface Resolving {
  readonly row: RowRecord;
  readonly request: ResolveRequest;
}

/** What may be said of a row in which state. */
const resolvable: Readonly<Record<Resolution['kind'], readonly RowState[]>> = {
  created: ['unknown', 'running', 'overdue'],
  not_created: ['unknown', 'overdue'],
  resend: ['unknown'],
  lost: ['overdue', 'archiving'],
};

async function assertPossible(tx: Tx, batch: BatchRecord, { row, request }: Resolving): Promise<void> {
  const { resolution } = request;
  const cannot = (why: string) =>
    new LedgerError('wrong_state', `Cannot resolve ${batch.batch_id} ${row.row_key}: ${why}`);
  const states = resolvable[resolution.kind];
  if (!states.includes(row.state)) throw cannot(`it is ${row.state}, not ${states.join(' or ')}`);
  switch (resolution.kind) {
    case 'resend':
      if (row.cancel_ms === null) return;
      throw cannot('it was canceled, so nothing more is sent; use --created <movie id> or --not-created');
    case 'not_created':
    case 'lost':
      if (resolution.evidence.trim() !== '') return;
      throw cannot('use --evidence to say how you know');
    case 'created': {
      const why = await whyNotItsMovie(tx, batch, { row, request });
      if (why !== null) throw cannot(why);
      return;
    }
    default:
      resolution satisfies never;
  }
}

/** A person's word for a movie id is held against what the books, the order and the service say. */
async function whyNotItsMovie(
  tx: Tx,
  { service_no }: BatchRecord,
  { row, request: { resolution, movie } }: Resolving,
): Promise<string | null> {
  if (resolution.kind !== 'created') return null;
  const { movieId } = resolution;
  if (!isMovieId(movieId)) return `"${movieId}" is not a movie id, e.g. movie_8Fk2`;
  if (row.movie_id === movieId) return `${movieId} is its movie already`;
  const other = (await ordersOfMovies(tx, service_no, [movieId])).get(movieId);
  if (other) return `${movieId} is the movie of ${other.batchId} ${other.rowKey}`;
  const order = { lineageNo: row.lineage_no, rowKey: row.row_key, attempt: row.attempt ?? 0 };
  if (row.movie_id !== null && (await namedByService(tx, order, row.movie_id))) {
    return `the service itself answered this order with ${row.movie_id}`;
  }
  if (!movie) return 'the service was not asked for that movie';
  const { requestBody } = await requestOf(tx, order);
  if (echoOf(JSON.parse(requestBody), movie) === 'matches') return null;
  return `${movieId} was made from another brief: its prompt, length or aspect ratio differ from what was sent`;
}

async function resolve(tx: Tx, batch: BatchRecord, { row, request }: Resolving): Promise<void> {
  const { resolution, nowMs } = request;
  const { row_key: rowKey, attempt, amount_minor: amountMinor } = row;
  const movement: Movement = { rowKey, attempt: attempt ?? 0, amountMinor: amountMinor ?? 0, nowMs };
  const isHeld = row.state === 'unknown';
  switch (resolution.kind) {
    case 'created': {
      if (isHeld) await post(tx, batch, [movement]);
      return follow(tx, batch, { row, movieId: resolution.movieId, nowMs });
    }
    case 'not_created': {
      if (isHeld) await release(tx, batch, [movement]);
      else await refund(tx, batch, { ...movement, note: 'resolved: it made no movie' });
      const set = { uncertain_sends: 0, reason: `made no movie: ${resolution.evidence}` };
      return moveRows(tx, batch, { moves: [{ row, to: 'canceled', set }], nowMs });
    }
    case 'lost': {
      const set = { reason: `given up: ${resolution.evidence}` };
      return moveRows(tx, batch, { moves: [{ row, to: 'lost', set }], nowMs });
    }
    case 'resend': {
      const set = { resend: 1, next_send_ms: 0, reason: null };
      return moveRows(tx, batch, { moves: [{ row, to: 'ordering', set }], nowMs });
    }
    default:
      resolution satisfies never;
  }
}

interface Followed {
  readonly row: RowRecord;
  readonly movieId: string;
  readonly nowMs: number;
}

/** From now on, with the whole time to its deadline. */
async function follow(tx: Tx, batch: BatchRecord, { row, movieId, nowMs }: Followed): Promise<void> {
  const { lineage_no: lineageNo, row_key: rowKey, attempt } = row;
  await setMovies(tx, lineageNo, [{ rowKey, attempt: attempt ?? 0, movieId }]);
  const { policy } = await readPolicy(tx);
  const set = {
    ...{ movie_id: movieId, ordered_ms: nowMs, follow_ms: nowMs, uncertain_sends: 0, cancel_sent_ms: null },
    ...{ service_status: null, percent: null, stage: null, reason: null, alarm: null },
    deadline_ms: deadlineMs(nowMs, settingsOf(batch), policy),
  };
  await moveRows(tx, batch, { moves: [{ row, to: 'running', set }], nowMs });
}
