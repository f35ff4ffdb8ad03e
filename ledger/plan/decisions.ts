import { isExpired } from '../../domain/deadlines/approval-deadline.js';
import { formatMoney } from '../../domain/money.js';
import type { Actor } from '../../domain/roles.js';
import { appendAudit } from '../access/audit.js';
import { auditedAct } from '../access/audited-act.js';
import { assertMayOpen } from '../access/four-eyes.js';
import { type BatchRecord, lockBatch, lockCampaignAndBatch, readBatchRecord } from '../batches/batch-record.js';
import type { DecisionView } from '../batches/batches.js';
import { type Ledger, LedgerError, type Tx } from '../ledger.js';
import { decide, decisionValues, findDecision, readDecision } from './record-approval.js';
import { prepareAgainIfStale } from './stale-plans.js';

export interface Approval {
  readonly batchId: string;
  readonly actor: Actor;
  /** The plan that was read; a beginning of at least 8 digits is enough. Null approves what is sealed now. */
  readonly digest?: string;
  /** The total as a person typed it, where they had to. */
  readonly typedAmountMinor?: number;
  /** For the record of a refusal; what is decided by time is decided by the database's. */
  readonly nowMs: number;
}

/**
 * Approves a sealed plan and commits its total at every budget level, in one transaction. The next call answers with
 * the same decision. A plan that history has overtaken, or whose estimates are too old, goes back to be prepared.
 *
 * @throws LedgerError: not_allowed (role, four eyes), other_plan, stale_plan, stale_estimates, no_room, wrong_state.
 */
export async function approveBatch(ledger: Ledger, approval: Approval): Promise<DecisionView> {
  const { batchId, actor } = approval;
  const deed = { actor, act: 'approve', object: batchId, nowMs: approval.nowMs } as const;
  const outcome = await auditedAct(ledger, deed, async (tx) => {
    const batch = await lockCampaignAndBatch(tx, batchId);
    const earlier = await findDecision(tx, batchId);
    if (earlier?.kind === 'approved') return earlier;
    if (batch.state !== 'waiting') throw notWaiting('approve', batch);
    const selfApproved = await assertMayOpen(tx, { actor, act: 'approve', askedBy: batch.submitted_by }, batchId);
    assertSamePlan(batch, approval);
    const nowMs = await ledger.now(tx);
    if (isExpired(batch, nowMs)) {
      await expire(tx, batch, nowMs);
      return new LedgerError(
        'wrong_state',
        `Cannot approve ${batchId}: the approval deadline has passed; submit again`,
      );
    }
    const stale = await prepareAgainIfStale(tx, batch, { actor, nowMs });
    if (stale) return stale;
    return decide(tx, batch, { actor, selfApproved, nowMs });
  });
  if (outcome instanceof LedgerError) throw outcome;
  return outcome;
}

/** Only a person in finance may; the plan's own submitter too, since rejecting spends nothing. */
export async function rejectBatch(
  ledger: Ledger,
  {
    batchId,
    actor,
    reason,
    nowMs,
  }: { readonly batchId: string; readonly actor: Actor; readonly reason: string; readonly nowMs: number },
): Promise<DecisionView> {
  return auditedAct(ledger, { actor, act: 'reject', object: batchId, nowMs }, async (tx) => {
    const batch = await lockBatch(tx, batchId);
    const earlier = await findDecision(tx, batchId);
    if (earlier?.kind === 'rejected') return earlier;
    if (batch.state !== 'waiting') throw notWaiting('reject', batch);
    await tx
      .insertInto('decisions')
      .values({ ...decisionValues(batch, { actor, nowMs }), kind: 'rejected', reason, self_approved: 0 })
      .execute();
    await tx
      .updateTable('batches')
      .set({ state: 'refused', state_reason: `rejected by ${actor.name}: ${reason}`, settled_ms: nowMs })
      .where('batch_id', '=', batchId)
      .execute();
    await appendAudit(tx, { atMs: nowMs, actor, act: 'reject', object: batchId, detail: { reason } });
    return readDecision(tx, batchId);
  });
}

/** Ends a plan that nobody decided on in time; does nothing before that. */
export async function expireBatch(ledger: Ledger, { batchId }: { readonly batchId: string }): Promise<void> {
  await ledger.write(
    async (tx) => {
      const batch = await lockBatch(tx, batchId);
      const nowMs = await ledger.now(tx);
      if (batch.state === 'waiting' && isExpired(batch, nowMs)) {
        await expire(tx, batch, nowMs);
      }
    },
    { durable: true },
  );
}

export type GateState =
  | { readonly state: 'waiting'; readonly expiresInMs: number }
  /** `stale`: it has to be priced and sealed again before anybody can decide. */
  | { readonly state: 'approved' | 'stale' }
  | { readonly state: 'rejected' | 'expired' | 'canceled' | 'refused' | 'closed' };

/** Where the decision on a sealed batch stands; expires it when its time is over. */
export async function gateState(ledger: Ledger, { batchId }: { readonly batchId: string }): Promise<GateState> {
  const { state, expires_ms: expiresAtMs } = await readBatchRecord(ledger.db, batchId);
  switch (state) {
    case 'waiting':
      return whileWaiting(ledger, { batchId, expiresAtMs });
    case 'preparing':
      return { state: 'stale' };
    case 'making':
    case 'unsettled':
      return { state: 'approved' };
    case 'refused':
      return { state: (await findDecision(ledger.db, batchId)) ? 'rejected' : 'refused' };
    default:
      return { state };
  }
}

async function whileWaiting(
  ledger: Ledger,
  { batchId, expiresAtMs }: { readonly batchId: string; readonly expiresAtMs: number | null },
): Promise<GateState> {
  const expiresInMs = expiresAtMs === null ? 0 : expiresAtMs - (await ledger.now());
  if (expiresAtMs === null || expiresInMs > 0) return { state: 'waiting', expiresInMs };
  await expireBatch(ledger, { batchId });
  return gateState(ledger, { batchId });
}

function assertSamePlan(batch: BatchRecord, { batchId, digest, typedAmountMinor }: Approval): void {
  const { plan_digest: planDigest, currency } = batch;
  const total = batch.total_minor ?? 0;
  if (digest !== undefined && !(digest.length >= 8 && planDigest?.startsWith(digest.toLowerCase()))) {
    throw new LedgerError(
      'other_plan',
      `Cannot approve ${batchId}: the plan is now ${planDigest?.slice(0, 12)} for ` +
        `${formatMoney({ amountMinor: total, currency })}, not ${digest}; review it again`,
    );
  }
  if (typedAmountMinor !== undefined && typedAmountMinor !== total) {
    throw new LedgerError(
      'other_plan',
      `Cannot approve ${batchId}: the plan costs ${formatMoney({ amountMinor: total, currency })}, ` +
        `not ${formatMoney({ amountMinor: typedAmountMinor, currency })}`,
    );
  }
}

async function expire(tx: Tx, { batch_id: batchId }: BatchRecord, nowMs: number): Promise<void> {
  await tx
    .updateTable('batches')
    .set({ state: 'expired', state_reason: 'no one decided in time', settled_ms: nowMs })
    .where('batch_id', '=', batchId)
    .execute();
  const actor = { name: 'greenlight', channel: 'system' } as const;
  await appendAudit(tx, { atMs: nowMs, actor, act: 'expire', object: batchId, detail: {} });
}

function notWaiting(act: string, { batch_id: batchId, state, state_reason: reason }: BatchRecord): LedgerError {
  const why = reason === null ? '' : ` (${reason})`;
  const hint = state === 'preparing' ? '; wait until it is priced' : '';
  return new LedgerError('wrong_state', `Cannot ${act} ${batchId}: it is ${state}${why}${hint}`);
}
