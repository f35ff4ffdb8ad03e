import type { Kysely } from 'kysely';
import type { Policy } from '../../domain/policy.js';
import type { BatchRecord } from '../batches/batch-record.js';
import { isOrdered } from '../database/partial-indexes.js';
import type { Tables } from '../database/tables.js';

const hourMs = 60 * 60 * 1_000;

/** Whether an estimate is too old to be approved; null where all hold. */
export async function oldEstimates(
  db: Kysely<Tables>,
  { batch_id: batchId }: BatchRecord,
  { policy, nowMs }: { readonly policy: Policy; readonly nowMs: number },
): Promise<{ readonly maxAgeHours: number; readonly oldestAllowed: number } | null> {
  const { estimateMaxAgeHours: maxAgeHours } = policy;
  const oldestAllowed = nowMs - maxAgeHours * hourMs;
  const old = await db
    .selectFrom('rows')
    .select('row_key')
    .where('batch_id', '=', batchId)
    .where(isOrdered())
    .where('estimated_ms', '<', oldestAllowed)
    .limit(1)
    .executeTakeFirst();
  return old ? { maxAgeHours, oldestAllowed } : null;
}
