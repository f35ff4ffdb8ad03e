import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.js';

/** The currencies of those of the ids that are batches; a page of them at a time. */
export async function currenciesOf(
  db: Kysely<Tables>,
  batchIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (batchIds.length === 0) return new Map();
  const batches = await db
    .selectFrom('batches')
    .select(['batch_id', 'currency'])
    .where('batch_id', 'in', batchIds)
    .execute();
  return new Map(batches.map(({ batch_id, currency }) => [batch_id, currency]));
}
