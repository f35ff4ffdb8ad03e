import type { Kysely } from 'kysely';
import type { Actor } from '../../domain/roles.js';
import { appendAudit } from '../access/audit.js';
import { policyChangedSince, readPolicy } from '../access/policies.js';
import type { BatchRecord } from '../batches/batch-record.js';
import type { Tables } from '../database/tables.js';
import { LedgerError, type Tx } from '../ledger.js';
import { oldEstimates } from './old-estimates.js';
import { lockContents } from './same-content.js';
import { dropFigures } from './sealed-figures.js';
import { correctClasses } from './stale-classes.js';

/** Sends the batch back to be prepared, which is a change of its own: the refusal is returned, not thrown. */
export async function prepareAgainIfStale(
  tx: Tx,
  batch: BatchRecord,
  { actor, nowMs }: { readonly actor: Actor; readonly nowMs: number },
): Promise<LedgerError | null> {
  const { batch_id: batchId } = batch;
  const { policy } = await readPolicy(tx);
  await lockContents(tx, batch.service_no);
  const reasons = [await otherPolicy(tx, batch), await correctClasses(tx, batch)].filter((reason) => reason !== null);
  if (reasons.length > 0) {
    const why = `its plan is stale: ${reasons.join('; ')}`;
    const message = `Cannot approve ${batchId}: ${why}; it is being planned again, review it afterwards`;
    const refusal = new LedgerError('stale_plan', message);
    await prepareAgain(tx, batch, { refusal, estimatesAfterMs: batch.estimates_after_ms, actor, nowMs });
    return refusal;
  }
  const old = await oldEstimates(tx, batch, { policy, nowMs });
  if (!old) return null;
  const { maxAgeHours, oldestAllowed } = old;
  const refusal = new LedgerError(
    'stale_estimates',
    `Cannot approve ${batchId}: its estimates are older than ${maxAgeHours} h; they are being refreshed, approve it ` +
      'afterwards',
  );
  await prepareAgain(tx, batch, { refusal, estimatesAfterMs: oldestAllowed, actor, nowMs });
  return refusal;
}

/** A plan is approved under the rules that it was sealed under, which its digest names. Null where they stand. */
export async function otherPolicy(
  db: Kysely<Tables>,
  { policy_version: version }: BatchRecord,
): Promise<string | null> {
  const changed = version === null ? null : await policyChangedSince(db, version);
  return changed === null ? null : `the policy has changed: ${changed}`;
}

interface Again {
  readonly refusal: LedgerError;
  readonly estimatesAfterMs: number;
  readonly actor: Actor;
  readonly nowMs: number;
}

async function prepareAgain(tx: Tx, { batch_id: batchId }: BatchRecord, again: Again): Promise<void> {
  const { refusal, estimatesAfterMs, actor, nowMs } = again;
  await tx
    .updateTable('batches')
    .set({ state: 'preparing', estimates_after_ms: estimatesAfterMs })
    .where('batch_id', '=', batchId)
    .execute();
  await dropFigures(tx, batchId);
  const detail = { code: refusal.code, reason: refusal.message };
  await appendAudit(tx, { atMs: nowMs, actor, act: 'approve_refused', object: batchId, detail });
}
