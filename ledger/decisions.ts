import { sql } from 'kysely';
import { formatMoney } from '../domain/money.js';
import { type Act, type Actor, maySpend } from '../domain/roles.js';
import { levelWithoutRoom } from '../domain/room.js';
import { acting } from './acting.js';
import { appendAudit } from './audit.js';
import { type BatchRecord, lockBatch, readBatchRecord } from './batch-record.js';
import { type DecisionView, decisionOf } from './batches.js';
import { readLevels } from './budget-levels.js';
import { type Ledger, LedgerError, type Tx } from './ledger.js';
import { commit } from './movements.js';
import { readPolicy, spendingRules } from './policies.js';
import { isPlanStale } from './reclassify.js';

const hourMs = 60 * 60 * 1_000;

export interface Approval {
  readonly batchId: string;
  readonly actor: Actor;
  /** The plan that was read; a beginning of at least 8 digits is enough. Null approves what is sealed now. */
  readonly digest?: string;
  /** The total as a person typed it, where they had to. */
  readonly typedAmountMinor?: number;
  readonly nowMs: number;
}

/**
 * Approves a sealed plan and commits its total at every budget level, in one transaction. The next call answers with
 * the same decision. A plan that history has overtaken, or whose estimates are too old, goes back to be prepared.
 *
 * @throws LedgerError: not_allowed (role, four eyes), other_plan, stale_plan, stale_estimates, no_room, wrong_state.
 */
export async function approveBatch(ledger: Ledger, approval: Approval): Promise<DecisionView> {
  const { batchId, actor, nowMs } = approval;
  const deed = { actor, act: 'approve', object: batchId, nowMs } as const;
  const outcome = await acting(ledger, deed, async (tx) => {
    const batch = await lockForDecision(tx, batchId);
    const earlier = await findDecision(tx, batchId);
    if (earlier?.kind === 'approved') return earlier;
    if (batch.state !== 'waiting') throw notWaiting('approve', batch);
    const selfApproved = await guardSpending(tx, { actor, act: 'approve', askedBy: batch.submitted_by, what: batchId });
    assertSamePlan(batch, approval);
    if (batch.expires_ms !== null && nowMs >= batch.expires_ms) {
      await expire(tx, batch, nowMs);
      return new LedgerError('wrong_state', `Cannot approve ${batchId}: the time to decide is over; submit again`);
    }
    const stale = await prepareAgainIfStale(tx, batch, nowMs);
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
  return acting(ledger, { actor, act: 'reject', object: batchId, nowMs }, async (tx) => {
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
export async function expireBatch(
  ledger: Ledger,
  { batchId, nowMs }: { readonly batchId: string; readonly nowMs: number },
): Promise<void> {
  await ledger.write(
    async (tx) => {
      const batch = await lockBatch(tx, batchId);
      if (batch.state === 'waiting' && batch.expires_ms !== null && nowMs >= batch.expires_ms) {
        await expire(tx, batch, nowMs);
      }
    },
    { durable: true },
  );
}

export type GateState =
  | { readonly state: 'waiting'; readonly expiresAtMs: number }
  /** `stale`: it has to be priced and sealed again before anybody can decide. */
  | { readonly state: 'approved' | 'stale' }
  | { readonly state: 'rejected' | 'expired' | 'canceled' | 'refused' | 'closed' };

/** Where the decision on a sealed batch stands; expires it when its time is over. */
export async function gateState(
  ledger: Ledger,
  { batchId, nowMs }: { readonly batchId: string; readonly nowMs: number },
): Promise<GateState> {
  const { state, expires_ms: expiresAtMs } = await readBatchRecord(ledger.db, batchId);
  switch (state) {
    case 'waiting':
      if (expiresAtMs === null || nowMs < expiresAtMs) return { state, expiresAtMs: expiresAtMs ?? nowMs };
      await expireBatch(ledger, { batchId, nowMs });
      return gateState(ledger, { batchId, nowMs });
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

/**
 * Approves a batch that was just sealed, where policy allows it without a person: while the sum of what policy approved
 * within 24 hours stays below its amount at every budget level, and each has room. The levels are locked before they
 * are counted, so that two batches cannot pass on the same sum.
 */
export async function approveByPolicy(tx: Tx, batch: BatchRecord, nowMs: number): Promise<boolean> {
  const { policy } = await readPolicy(tx);
  const total = batch.total_minor ?? 0;
  const below = policy.approveBelow;
  if (below === null || below.currency !== batch.currency || total >= below.amountMinor) return false;
  const levels = await readLevels(tx, batch.budget_path, { locked: true });
  if (levelWithoutRoom(levels, total)) return false;
  for (const { path } of levels) {
    const approved = await approvedByPolicy(tx, path, nowMs - 24 * hourMs);
    if (approved + total >= below.amountMinor) return false;
  }
  const actor: Actor = { name: 'policy', roles: [], channel: 'policy' };
  const { batch_id: what, submitted_by: askedBy } = batch;
  const selfApproved = await guardSpending(tx, { actor, act: 'approve', askedBy, what });
  await decide(tx, batch, { actor, selfApproved, nowMs });
  return true;
}

async function approvedByPolicy(tx: Tx, path: string, sinceMs: number): Promise<number> {
  const below = `${path}/`;
  const { sum } = await tx
    .selectFrom('decisions')
    .innerJoin('batches', 'batches.batch_id', 'decisions.batch_id')
    .select(sql<number>`cast(coalesce(sum(decisions.total_minor), 0) as bigint)`.as('sum'))
    .where('decisions.channel', '=', 'policy')
    .where('decisions.at_ms', '>', sinceMs)
    .where((eb) => eb.or([eb('budget_path', '=', path), eb(sql`substr(budget_path, 1, ${below.length})`, '=', below)]))
    .executeTakeFirstOrThrow();
  return sum;
}

export interface SpendingDoor {
  readonly actor: Actor;
  readonly act: Act;
  /** Who asked for the money. */
  readonly askedBy: string;
  readonly what: string;
}

/**
 * Every door that can start spending passes here, inside the transaction that opens it.
 *
 * @returns whether somebody releases their own request, which solo work allows and records.
 * @throws LedgerError of code `not_allowed`.
 */
export async function guardSpending(tx: Tx, { actor, act, askedBy, what }: SpendingDoor): Promise<boolean> {
  const permission = maySpend(actor, { act, askedBy, rules: await spendingRules(tx) });
  if (permission.allowed) return permission.selfApproved;
  throw new LedgerError('not_allowed', `Cannot ${act} ${what}: ${permission.reason}`);
}

/** The campaign before the batch: history must not change while a plan is held against it. */
async function lockForDecision(tx: Tx, batchId: string): Promise<BatchRecord> {
  const { lineage_no } = await readBatchRecord(tx, batchId);
  await tx
    .updateTable('lineages')
    .set((eb) => ({ campaign: eb.ref('campaign') }))
    .where('lineage_no', '=', lineage_no)
    .execute();
  return lockBatch(tx, batchId);
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

/** Sends the batch back to be prepared, which is a change of its own: the refusal is returned, not thrown. */
async function prepareAgainIfStale(tx: Tx, batch: BatchRecord, nowMs: number): Promise<LedgerError | null> {
  const { batch_id: batchId } = batch;
  const { policy } = await readPolicy(tx);
  const changed = await isPlanStale(tx, batch);
  if (changed !== null) {
    await prepareAgain(tx, batchId, batch.estimates_after_ms);
    return new LedgerError('stale_plan', `Cannot approve ${batchId}: ${changed}; it is planned again, review it then`);
  }
  const oldestAllowed = nowMs - policy.estimateMaxAgeHours * hourMs;
  const old = await tx
    .selectFrom('rows')
    .select('row_key')
    .where('batch_id', '=', batchId)
    .where('ordered', '=', 1)
    .where('estimated_ms', '<', oldestAllowed)
    .limit(1)
    .executeTakeFirst();
  if (!old) return null;
  await prepareAgain(tx, batchId, oldestAllowed);
  return new LedgerError(
    'stale_estimates',
    `Cannot approve ${batchId}: its estimates are older than ${policy.estimateMaxAgeHours} h; they are asked for again, ` +
      'approve it then',
  );
}

async function prepareAgain(tx: Tx, batchId: string, estimatesAfterMs: number): Promise<void> {
  await tx
    .updateTable('batches')
    .set({ state: 'preparing', estimates_after_ms: estimatesAfterMs })
    .where('batch_id', '=', batchId)
    .execute();
}

interface Decider {
  readonly actor: Pick<Actor, 'name' | 'channel'>;
  readonly selfApproved: boolean;
  readonly nowMs: number;
}

/** Commit, decision, and the batch is in the making. */
async function decide(tx: Tx, batch: BatchRecord, decider: Decider): Promise<DecisionView> {
  const { actor, selfApproved, nowMs } = decider;
  const { batch_id: batchId } = batch;
  const values = decisionValues(batch, decider);
  const levels = await commit(tx, batch, { amountMinor: values.total_minor, nowMs });
  await tx.updateTable('rows').set({ open: 1 }).where('batch_id', '=', batchId).where('ordered', '=', 1).execute();
  await tx.updateTable('batches').set({ state: 'making' }).where('batch_id', '=', batchId).execute();
  await tx
    .insertInto('decisions')
    .values({ ...values, kind: 'approved', reason: null, self_approved: selfApproved ? 1 : 0 })
    .execute();
  const detail = {
    plan_digest: batch.plan_digest,
    total_minor: values.total_minor,
    self_approved: selfApproved,
    levels,
  };
  await appendAudit(tx, { atMs: nowMs, actor, act: 'approve', object: batchId, detail });
  return readDecision(tx, batchId);
}

function decisionValues(batch: BatchRecord, { actor, nowMs }: Pick<Decider, 'actor' | 'nowMs'>) {
  const { batch_id, plan_digest, total_minor, policy_version, currency } = batch;
  if (plan_digest === null || total_minor === null || policy_version === null) {
    throw new LedgerError('wrong_state', `Cannot decide on ${batch_id}: it is not sealed yet`);
  }
  const by = { by_name: actor.name, channel: actor.channel, at_ms: nowMs };
  return { ...{ batch_id, plan_digest, total_minor, policy_version, currency }, ...by };
}

async function expire(tx: Tx, { batch_id: batchId }: BatchRecord, nowMs: number): Promise<void> {
  await tx
    .updateTable('batches')
    .set({ state: 'expired', state_reason: 'nobody decided in time', settled_ms: nowMs })
    .where('batch_id', '=', batchId)
    .execute();
  const actor = { name: 'greenlight', channel: 'system' } as const;
  await appendAudit(tx, { atMs: nowMs, actor, act: 'expire', object: batchId, detail: {} });
}

async function findDecision(db: Tx | Ledger['db'], batchId: string): Promise<DecisionView | null> {
  const row = await db.selectFrom('decisions').selectAll().where('batch_id', '=', batchId).executeTakeFirst();
  return row ? decisionOf(row) : null;
}

async function readDecision(tx: Tx, batchId: string): Promise<DecisionView> {
  const decision = await findDecision(tx, batchId);
  if (decision) return decision;
  throw new LedgerError('corrupt_books', `Cannot read the decision on ${batchId}: there is none`);
}

function notWaiting(act: string, { batch_id: batchId, state, state_reason: reason }: BatchRecord): LedgerError {
  const why = reason === null ? '' : ` (${reason})`;
  const hint = state === 'preparing' ? '; wait until it is priced' : '';
  return new LedgerError('wrong_state', `Cannot ${act} ${batchId}: it is ${state}${why}${hint}`);
}
