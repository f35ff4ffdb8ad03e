import type { Kysely } from 'kysely';
import { digestPlan } from '../../domain/digests/plan-digest.js';
import type { BatchRecord } from '../batches/batch-record.js';
import type { Tables } from '../database/tables.js';

export interface BatchPlan {
  readonly planDigest: string;
  readonly totalMinor: number;
  readonly credits: number;
  readonly runtimeSeconds: number;
  readonly rowsToOrder: number;
}

const planPage = 2_000;

/** The plan as the rows say it now, read by key in pages. */
export async function digestOfBatch(db: Kysely<Tables>, batch: BatchRecord, policyVersion: number): Promise<BatchPlan> {
  const {
    campaign,
    name,
    base_url: baseUrl,
  } = await db
    .selectFrom('lineages')
    .innerJoin('services', 'services.service_no', 'lineages.service_no')
    .select(['campaign', 'name', 'base_url'])
    .where('lineage_no', '=', batch.lineage_no)
    .executeTakeFirstOrThrow();
  const { currency, budget_path: budgetPath } = batch;
  const digester = digestPlan({ service: { name, baseUrl }, campaign, currency, budgetPath, policyVersion });
  let [credits, runtimeSeconds, rowsToOrder] = [0, 0, 0];
  for (let after = ''; ;) {
    const page = await db
      .selectFrom('rows')
      .select(['row_key', 'class', 'content_digest', 'amount_minor', 'credits', 'runtime_seconds', 'ordered'])
      .where('batch_id', '=', batch.batch_id)
      .where('row_key', '>', after)
      .orderBy('row_key')
      .limit(planPage)
      .execute();
    for (const row of page) {
      const amountMinor = row.ordered === 1 ? row.amount_minor : null;
      digester.add({ rowKey: row.row_key, class: row.class, contentDigest: row.content_digest, amountMinor });
      credits += row.credits ?? 0;
      runtimeSeconds += row.runtime_seconds ?? 0;
      rowsToOrder += row.ordered;
      after = row.row_key;
    }
    if (page.length < planPage) break;
  }
  return { ...digester.digest(), credits, runtimeSeconds, rowsToOrder };
}
