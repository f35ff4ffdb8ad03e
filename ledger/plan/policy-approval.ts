import { sql } from 'kysely';
import { levelWithoutRoom } from '../../domain/budget-room.js';
import type { Actor } from '../../domain/roles.js';
import { mayOpen } from '../access/four-eyes.js';
import { readPolicy } from '../access/policies.js';
import type { BatchRecord } from '../batches/batch-record.js';
import type { Tx } from '../ledger.js';
import { type BudgetKey, readLevels } from '../money/budget-levels.js';
import { decide } from './record-approval.js';
import { lockContents } from './same-content.js';
import { prepareAgainIfStale } from './stale-plans.js';

const dayMs = 24 * 60 * 60 * 1_000;

const policyItself: Actor = { name: 'policy', roles: [], channel: 'policy' };

/**
 * Whether policy approves a sealed batch without a person: while the sum of what it approved within 24 hours stays
 * below its amount at every budget level, and each has room. The levels stay locked, so that two batches cannot pass
 * on the same sum.
 */
export async function policyApproves(tx: Tx, batch: BatchRecord, nowMs: number): Promise<boolean> {
  const { policy } = await readPolicy(tx);
  const total = batch.total_minor ?? 0;
  const below = policy.approveBelow;
  if (below === null || below.currency !== batch.currency || total >= below.amountMinor) return false;
  const permission = await mayOpen(tx, { actor: policyItself, act: 'approve', askedBy: batch.submitted_by });
  if (!permission.allowed) return false;
  await lockContents(tx, batch.service_no); // before the budgets, as an approval by a person does
  const rehearsal = batch.rehearsal === 1;
  const levels = await readLevels(tx, { path: batch.budget_path, rehearsal }, { locked: true });
  if (levelWithoutRoom(levels, total)) return false;
  for (const { path } of levels) {
    const approved = await approvedByPolicy(tx, { path, rehearsal }, nowMs - dayMs);
    if (approved + total >= below.amountMinor) return false;
  }
  return true;
}

/**
 * Decides what `policyApproves` allowed. A plan that history has overtaken meanwhile goes back to be prepared.
 *
 * @returns whether the batch is in the making.
 */
export async function approveByPolicy(tx: Tx, batch: BatchRecord, nowMs: number): Promise<boolean> {
  if (await prepareAgainIfStale(tx, batch, { actor: policyItself, nowMs })) return false;
  await decide(tx, batch, { actor: policyItself, selfApproved: false, nowMs });
  return true;
}

async function approvedByPolicy(tx: Tx, { path, rehearsal }: BudgetKey, sinceMs: number): Promise<number> {
  const below = `${path}/`;
  const { sum } = await tx
    .selectFrom('decisions')
    .innerJoin('batches', 'batches.batch_id', 'decisions.batch_id')
    .select(sql<number>`cast(coalesce(sum(decisions.total_minor), 0) as bigint)`.as('sum'))
    .where('decisions.channel', '=', 'policy')
    .where('batches.rehearsal', '=', rehearsal ? 1 : 0)
    .where('decisions.at_ms', '>', sinceMs)
    .where((eb) => eb.or([eb('budget_path', '=', path), eb(sql`substr(budget_path, 1, ${below.length})`, '=', below)]))
    .executeTakeFirstOrThrow();
  return sum;
}
