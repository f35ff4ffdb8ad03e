import { openBatchStates } from '../../domain/batch-state.js';
import type { Ledger } from '../ledger.js';

export interface BatchRevision {
  readonly batchId: string;
  readonly lineageNo: number;
  readonly revision: number;
}

/** Of every batch on which something may happen, and of those that ended since a time. */
export async function liveRevisions(
  { db }: Pick<Ledger, 'db'>,
  { endedSinceMs }: { readonly endedSinceMs: number },
): Promise<readonly BatchRevision[]> {
  const found = await db
    .selectFrom('batches')
    .select(['batch_id', 'lineage_no', 'revision'])
    .where((eb) => eb.or([eb('state', 'in', [...openBatchStates, 'unsettled']), eb('settled_ms', '>=', endedSinceMs)]))
    .execute();
  return found.map(({ batch_id: batchId, lineage_no: lineageNo, revision }) => ({ batchId, lineageNo, revision }));
}

/** The campaigns in which a person submitted. */
export async function lineagesOf({ db }: Pick<Ledger, 'db'>, person: string): Promise<ReadonlySet<number>> {
  const found = await db
    .selectFrom('batches')
    .select('lineage_no')
    .distinct()
    .where('submitted_by', '=', person)
    .execute();
  return new Set(found.map(({ lineage_no }) => lineage_no));
}
