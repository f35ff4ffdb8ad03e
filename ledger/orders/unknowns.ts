import type { Actor } from '../../domain/roles.js';
import { appendAudit } from '../access/audit.js';
import { auditedAct } from '../access/audited-act.js';
import { mayOpen } from '../access/four-eyes.js';
import { inTheirCampaigns } from '../access/sight.js';
import { type BatchRecord, lockBatch } from '../batches/batch-record.js';
import { type RowRecord, readRowRecord } from '../batches/row-record.js';
import { type RowView, rowViews } from '../batches/rows.js';
import { type Ledger, LedgerError, type Tx } from '../ledger.js';
import { type Movement, post, release } from '../money/movements.js';
import { orderOfMovie, setMovie } from '../money/orders.js';
import { moveRows } from '../progress/row-transitions.js';

/** A row of which nobody knows whether its movie exists; its hold stays until somebody does. */
export interface UnknownRow {
  readonly batchId: string;
  readonly currency: string;
  readonly row: RowView;
  /** What one person said about it and a second one has to confirm. */
  readonly proposal: Proposal | null;
}

export interface Proposal {
  readonly resolution: Resolution;
  readonly by: string;
  readonly atMs: number;
}

/** What is said to have become of the order. */
export type Resolution =
  /** It made this movie, which is followed from here on. */
  | { readonly kind: 'created'; readonly movieId: string }
  /** It certainly made none: the hold goes back. */
  | { readonly kind: 'not_created'; readonly evidence: string }
  /** Nobody can tell: it is sent once more, and may then be billed twice, up to the hold. */
  | { readonly kind: 'resend' };

export interface UnknownFilter {
  readonly batchId?: string;
  /** Only campaigns in which this person submitted; null for all. */
  readonly inCampaignsOf?: string | null;
  readonly limit?: number;
}

/** The oldest first. */
export async function listUnknowns(
  ledger: Ledger,
  { batchId, inCampaignsOf: person = null, limit = 1_000 }: UnknownFilter = {},
): Promise<readonly UnknownRow[]> {
  const rows = await ledger.db
    .selectFrom('rows')
    .innerJoin('batches', 'batches.batch_id', 'rows.batch_id')
    .select(['rows.batch_id', 'rows.position', 'batches.currency'])
    .where('rows.state', '=', 'unknown')
    .where('batches.state', 'in', ['making', 'unsettled'])
    .$if(batchId !== undefined, (query) => query.where('rows.batch_id', '=', batchId ?? ''))
    .$if(person !== null, (query) => query.where((eb) => inTheirCampaigns(eb, person ?? '')))
    .orderBy('rows.first_sent_ms')
    .orderBy('rows.position')
    .limit(limit)
    .execute();
  const unknowns: UnknownRow[] = [];
  for (const { batch_id, position, currency } of rows) {
    const [row] = await rowViews(ledger.db, (query) =>
      query.where('rows.batch_id', '=', batch_id).where('rows.position', '=', position),
    );
    if (row)
      unknowns.push({
        batchId: batch_id,
        currency,
        row,
        proposal: await findProposal(ledger.db, batch_id, row.rowKey),
      });
  }
  return unknowns;
}

export interface ResolveRequest {
  readonly batchId: string;
  readonly rowKey: string;
  readonly resolution: Resolution;
  readonly actor: Actor;
  readonly nowMs: number;
}

export type Resolved =
  | { readonly state: 'proposed'; readonly by: string }
  | { readonly state: 'resolved'; readonly by: string; readonly proposedBy: string };

/**
 * Says what became of an unknown order. One person says it and a second one confirms it with the same words; who works
 * alone does both. Then it takes effect, in the same transaction.
 *
 * @throws LedgerError for a row that is not unknown, a movie that pays for another order, a resend after a cancel.
 */
export async function resolveUnknown(ledger: Ledger, request: ResolveRequest): Promise<Resolved> {
  const { batchId, rowKey, resolution, actor, nowMs } = request;
  return auditedAct(ledger, { actor, act: 'resolve', object: `${batchId} ${rowKey}`, nowMs }, async (tx) => {
    const batch = await lockBatch(tx, batchId);
    const row = await unknownOrThrow(tx, request);
    await assertPossible(tx, batch, { row, resolution });
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

async function unknownOrThrow(tx: Tx, { batchId, rowKey }: ResolveRequest): Promise<RowRecord> {
  const row = await readRowRecord(tx, { batchId, rowKey });
  if (row.state === 'unknown') return row;
  throw new LedgerError('wrong_state', `Cannot resolve ${batchId} ${rowKey}: it is ${row.state}, not unknown`);
}

async function assertPossible(
  tx: Tx,
  { batch_id: batchId, service_no }: BatchRecord,
  { row, resolution }: { readonly row: RowRecord; readonly resolution: Resolution },
): Promise<void> {
  const cannot = (why: string) => new LedgerError('wrong_state', `Cannot resolve ${batchId} ${row.row_key}: ${why}`);
  if (resolution.kind === 'resend' && row.cancel_ms !== null) {
    throw cannot('it was canceled, so nothing more is sent; use --created <movie id> or --not-created');
  }
  if (resolution.kind === 'not_created' && resolution.evidence.trim() === '') {
    throw cannot('use --evidence to say how you know that no movie was created');
  }
  if (resolution.kind !== 'created') return;
  if (!/^movie_[A-Za-z0-9]+$/.test(resolution.movieId)) throw cannot(`"${resolution.movieId}" is not a movie id`);
  const other = await orderOfMovie(tx, service_no, resolution.movieId);
  if (other) throw cannot(`${resolution.movieId} is the movie of ${other.batchId} ${other.rowKey}`);
}

async function resolve(
  tx: Tx,
  batch: BatchRecord,
  { row, request }: { readonly row: RowRecord; readonly request: ResolveRequest },
): Promise<void> {
  const { resolution, nowMs } = request;
  const { row_key: rowKey, attempt, amount_minor: amountMinor } = row;
  const movement: Movement = { rowKey, attempt: attempt ?? 0, amountMinor: amountMinor ?? 0, nowMs };
  switch (resolution.kind) {
    case 'created': {
      await post(tx, batch, movement);
      const { movieId } = resolution;
      await setMovie(tx, { lineageNo: row.lineage_no, rowKey, attempt: movement.attempt }, movieId);
      const set = {
        movie_id: movieId,
        ordered_ms: nowMs,
        follow_ms: nowMs,
        uncertain_sends: 0,
        reason: null,
        alarm: null,
      };
      await moveRows(tx, batch, { moves: [{ row, to: 'running', set }], nowMs });
      return;
    }
    case 'not_created': {
      await release(tx, batch, movement);
      const set = { uncertain_sends: 0, reason: `made no movie: ${resolution.evidence}` };
      await moveRows(tx, batch, { moves: [{ row, to: 'canceled', set }], nowMs });
      return;
    }
    case 'resend': {
      const set = { resend: 1, next_send_ms: 0, reason: null };
      await moveRows(tx, batch, { moves: [{ row, to: 'ordering', set }], nowMs });
      return;
    }
    default:
      resolution satisfies never;
  }
}

async function propose(tx: Tx, { batchId, rowKey, resolution, actor, nowMs }: ResolveRequest): Promise<Proposal> {
  const proposal = { resolution: JSON.stringify(resolution), by_name: actor.name, at_ms: nowMs };
  await tx
    .insertInto('proposals')
    .values({ batch_id: batchId, row_key: rowKey, ...proposal })
    .onConflict((conflict) => conflict.columns(['batch_id', 'row_key']).doUpdateSet(proposal))
    .execute();
  return { resolution, by: actor.name, atMs: nowMs };
}

async function findProposal(db: Tx | Ledger['db'], batchId: string, rowKey: string): Promise<Proposal | null> {
  const found = await db
    .selectFrom('proposals')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('row_key', '=', rowKey)
    .executeTakeFirst();
  if (!found) return null;
  return { resolution: JSON.parse(found.resolution) as Resolution, by: found.by_name, atMs: found.at_ms };
}

/** Whoever confirms brings evidence of their own; what must agree is what happened. */
function sameResolution(one: Resolution, other: Resolution): boolean {
  if (one.kind === 'created' && other.kind === 'created') return one.movieId === other.movieId;
  return one.kind === other.kind;
}
