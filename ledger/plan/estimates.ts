import { sql } from 'kysely';
import { type Estimate, judgeEstimate, type PricedOrNot } from '../../domain/judge-estimate.js';
import { lockBatch, readBatchRecord, settingsOf } from '../batches/batch-record.js';
import { type RowView, rowViews } from '../batches/rows.js';
import { withRecords } from '../database/json-records.js';
import type { Ledger, Tx } from '../ledger.js';

/**
 * The next rows that the batch would order and that have no price yet, or one too old to decide on, after a position.
 * Rows whose estimate failed are asked again by the first call of a new round only (from the beginning).
 */
export async function rowsToEstimate(
  ledger: Ledger,
  {
    batchId,
    limit,
    afterPosition,
  }: { readonly batchId: string; readonly limit: number; readonly afterPosition: number | null },
): Promise<readonly RowView[]> {
  const batch = await readBatchRecord(ledger.db, batchId);
  if (batch.state !== 'preparing') return [];
  return rowViews(ledger.db, (query) =>
    query
      .where('rows.batch_id', '=', batchId)
      .where('rows.ordered', '=', 1)
      .where('rows.position', '>', afterPosition ?? -1)
      .where((eb) =>
        eb.or([
          eb('rows.amount_minor', 'is', null),
          eb('rows.estimate_problem', 'is not', null),
          eb('rows.estimated_ms', '<', batch.estimates_after_ms),
        ]),
      )
      .orderBy('rows.position')
      .limit(limit),
  );
}

/** What was learned about one row's price: the service's answer, or why there is none. */
export type RowEstimate =
  | ({ readonly rowKey: string } & Estimate)
  | { readonly rowKey: string; readonly problem: string };

/**
 * Records prices. A price that was approved or shown before stays when the new one is not higher: it is a ceiling,
 * and the plan keeps its digest. Ignored once the batch is sealed.
 */
export async function recordEstimates(
  ledger: Ledger,
  { batchId, estimates }: { readonly batchId: string; readonly estimates: readonly RowEstimate[] },
): Promise<void> {
  await ledger.write(async (tx) => {
    const batch = await lockBatch(tx, batchId);
    if (batch.state !== 'preparing') return;
    const { allowFree } = settingsOf(batch);
    const assumptions = new Set(JSON.parse(batch.assumptions) as string[]); // written here
    const known = assumptions.size;
    const prices: Price[] = [];
    for (const estimate of estimates) {
      const { rowKey } = estimate;
      if ('problem' in estimate) {
        prices.push({ ...unpriced, row_key: rowKey, problem: estimate.problem });
        continue;
      }
      for (const assumption of estimate.assumptions) assumptions.add(assumption);
      prices.push(priceOf(rowKey, judgeEstimate(estimate, { budgetCurrency: batch.currency, allowFree })));
    }
    await recordPrices(tx, { batchId, prices, nowMs: await ledger.now(tx) });
    if (assumptions.size === known) return;
    await tx
      .updateTable('batches')
      .set({ assumptions: JSON.stringify([...assumptions].slice(0, maxAssumptions)) })
      .where('batch_id', '=', batchId)
      .execute();
  });
}

/** A service may word its assumptions for each movie; a plan shows some of them. */
const maxAssumptions = 20;

interface Price {
  readonly row_key: string;
  /** Why there is none; then the other members are null. */
  readonly problem: string | null;
  readonly amount_minor: number | null;
  readonly credits: number | null;
  readonly runtime_seconds: number | null;
}

const unpriced = { amount_minor: null, credits: null, runtime_seconds: null } as const;

function priceOf(rowKey: string, judged: PricedOrNot): Price {
  if (judged.kind === 'unpriced') return { ...unpriced, row_key: rowKey, problem: judged.problem };
  const { amountMinor, credits, runtimeSeconds } = judged;
  return { row_key: rowKey, problem: null, amount_minor: amountMinor, credits, runtime_seconds: runtimeSeconds };
}

interface Prices {
  readonly batchId: string;
  readonly prices: readonly Price[];
  readonly nowMs: number;
}

async function recordPrices(tx: Tx, { batchId, prices, nowMs }: Prices): Promise<void> {
  const own = withRecords(tx, prices, {
    ...{ row_key: 'text', problem: 'text' },
    ...{ amount_minor: 'int', credits: 'int', runtime_seconds: 'int' },
  });
  await sql`
    ${own}
    update rows set
      amount_minor = case when rows.amount_minor >= own.amount_minor or own.amount_minor is null
        then rows.amount_minor else own.amount_minor end,
      credits = coalesce(own.credits, rows.credits),
      runtime_seconds = coalesce(own.runtime_seconds, rows.runtime_seconds),
      estimated_ms = ${nowMs},
      estimate_problem = own.problem
    from own
    where rows.batch_id = ${batchId} and rows.row_key = own.row_key
      and rows.ordered = 1 and rows.state = 'planned'
  `.execute(tx);
}
