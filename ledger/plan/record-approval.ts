import type { Kysely } from 'kysely';
import type { Actor } from '../../domain/roles.js';
import { appendAudit } from '../access/audit.js';
import { readPolicy } from '../access/policies.js';
import type { BatchRecord } from '../batches/batch-record.js';
import { type DecisionView, decisionOf } from '../batches/batches.js';
import type { Tables } from '../database/tables.js';
import { LedgerError, type Tx } from '../ledger.js';
import { noteNotices } from '../money/budget-notices.js';
import { commit } from '../money/commit.js';

export interface Decider {
  readonly actor: Pick<Actor, 'name' | 'channel'>;
  readonly selfApproved: boolean;
  readonly nowMs: number;
}

/** Commit, decision, and the batch is in the making. Whoever calls has asked `four-eyes` for this decider. */
export async function decide(tx: Tx, batch: BatchRecord, decider: Decider): Promise<DecisionView> {
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
  await noteNotices(tx, { path: batch.budget_path, rehearsal: batch.rehearsal === 1 }, { actor, nowMs });
  await assertSameRules(tx, batch);
  return readDecision(tx, batchId);
}

/** The end of the audit is locked here, and a change of the rules needs that lock, so that none slips in between. */
async function assertSameRules(tx: Tx, batch: BatchRecord): Promise<void> {
  const { version } = await readPolicy(tx);
  if (version === batch.policy_version) return;
  throw new LedgerError(
    'stale_plan',
    `Cannot approve ${batch.batch_id}: the policy has changed at this moment; approve it again to see what changed`,
  );
}

export function decisionValues(batch: BatchRecord, { actor, nowMs }: Pick<Decider, 'actor' | 'nowMs'>) {
  const { batch_id, plan_digest, total_minor, policy_version, currency } = batch;
  if (plan_digest === null || total_minor === null || policy_version === null) {
    throw new LedgerError('wrong_state', `Cannot decide on ${batch_id}: it is not sealed yet`);
  }
  const by = { by_name: actor.name, channel: actor.channel, at_ms: nowMs };
  return { ...{ batch_id, plan_digest, total_minor, policy_version, currency }, ...by };
}

export async function findDecision(db: Kysely<Tables>, batchId: string): Promise<DecisionView | null> {
  const row = await db.selectFrom('decisions').selectAll().where('batch_id', '=', batchId).executeTakeFirst();
  return row ? decisionOf(row) : null;
}

export async function readDecision(tx: Tx, batchId: string): Promise<DecisionView> {
  const decision = await findDecision(tx, batchId);
  if (decision) return decision;
  throw new LedgerError('corrupt_books', `Cannot read the decision on ${batchId}: there is none`);
}
