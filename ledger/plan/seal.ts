import { approvalDeadline } from '../../domain/deadlines/approval-deadline.js';
import { appendAudit } from '../access/audit.js';
import { readPolicy } from '../access/policies.js';
import { type BatchRecord, lockCampaignAndBatch } from '../batches/batch-record.js';
import type { Ledger, Tx } from '../ledger.js';
import { digestOfBatch } from './batch-digest.js';
import { approveByPolicy, policyApproves } from './policy-approval.js';
import { keepFigures } from './sealed-figures.js';

export interface Sealed {
  readonly state: 'waiting' | 'making' | 'closed' | 'refused' | 'canceled';
  readonly reason: string | null;
}

/**
 * Fixes a priced batch: totals, digest, and the time in which it may be decided. An unpriced row refuses the plan,
 * nothing to order closes it, and policy may approve it at once. A second call answers with what the first one did.
 */
export async function sealBatch(ledger: Ledger, { batchId }: { readonly batchId: string }): Promise<Sealed> {
  return ledger.write(
    async (tx) => {
      const batch = await lockCampaignAndBatch(tx, batchId);
      if (batch.state !== 'preparing') return sealedAs(batch);
      const nowMs = await ledger.now(tx);
      const unpriced = await unpricedRows(tx, batchId);
      if (unpriced !== null) return end(tx, batch, { state: 'refused', reason: unpriced, nowMs });
      const sealed = await fixPlan(tx, batch, nowMs);
      await keepFigures(tx, { batchId, sealedMs: nowMs });
      if (sealed.rows_to_order === 0) return end(tx, sealed, { state: 'closed', reason: null, nowMs });
      const byPolicy = await policyApproves(tx, sealed, nowMs);
      await appendAudit(tx, {
        ...{ atMs: nowMs, actor: planner, act: 'seal', object: batchId },
        detail: { plan_digest: sealed.plan_digest, total_minor: sealed.total_minor, rows: sealed.rows_to_order },
      });
      const approved = byPolicy && (await approveByPolicy(tx, sealed, nowMs));
      return { state: approved ? 'making' : 'waiting', reason: null };
    },
    { durable: true },
  );
}

const planner = { name: 'greenlight', channel: 'system' } as const;

function sealedAs({ state, state_reason: reason }: BatchRecord): Sealed {
  switch (state) {
    case 'expired':
      return { state: 'refused', reason };
    case 'unsettled':
    case 'preparing':
      return { state: 'making', reason };
    default:
      return { state, reason };
  }
}

const maxNamedRows = 5;

async function unpricedRows(tx: Tx, batchId: string): Promise<string | null> {
  const rows = await tx
    .selectFrom('rows')
    .select(['row_key', 'estimate_problem'])
    .where('batch_id', '=', batchId)
    .where('ordered', '=', 1)
    .where((eb) => eb.or([eb('amount_minor', 'is', null), eb('estimate_problem', 'is not', null)]))
    .orderBy('position')
    .limit(maxNamedRows + 1)
    .execute();
  const [first] = rows;
  if (!first) return null;
  const named = rows.slice(0, maxNamedRows).map(({ row_key }) => row_key);
  const names = named.join(', ') + (rows.length > maxNamedRows ? ' and more' : '');
  return `rows without a price: ${names} (${first.estimate_problem ?? 'never estimated'}); submit again when prices are available`;
}

async function end(
  tx: Tx,
  batch: BatchRecord,
  {
    state,
    reason,
    nowMs,
  }: { readonly state: 'refused' | 'closed'; readonly reason: string | null; readonly nowMs: number },
): Promise<Sealed> {
  await tx
    .updateTable('batches')
    .set({ state, state_reason: reason, settled_ms: nowMs })
    .where('batch_id', '=', batch.batch_id)
    .execute();
  const act = state === 'refused' ? 'plan_refused' : 'plan_empty';
  await appendAudit(tx, { atMs: nowMs, actor: planner, act, object: batch.batch_id, detail: { reason } });
  return { state, reason };
}

/** Writes totals and digest into the batch; the time to decide starts over when the plan is another than before. */
async function fixPlan(tx: Tx, batch: BatchRecord, nowMs: number): Promise<BatchRecord> {
  const { policy, version } = await readPolicy(tx);
  const plan = await digestOfBatch(tx, batch, version);
  const samePlan = plan.planDigest === batch.plan_digest && batch.expires_ms !== null;
  return tx
    .updateTable('batches')
    .set({
      ...{ plan_digest: plan.planDigest, total_minor: plan.totalMinor, credits: plan.credits },
      ...{ runtime_seconds: plan.runtimeSeconds, rows_to_order: plan.rowsToOrder, policy_version: version },
      ...{ sealed_ms: nowMs, expires_ms: samePlan ? batch.expires_ms : approvalDeadline(policy, nowMs) },
      state: 'waiting',
    })
    .where('batch_id', '=', batch.batch_id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
