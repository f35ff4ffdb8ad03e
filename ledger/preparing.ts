import { sql } from 'kysely';
import { type Estimate, judgeEstimate } from '../domain/estimate.js';
import { lockBatch, readBatchRecord, settingsOf } from './batch-record.js';
import type { Ledger, Tx } from './ledger.js';
import { prepared } from './prepared.js';
import { type RowView, rowViews } from './rows.js';

export { sealBatch } from './sealing.js';
export { findUpload, rememberUpload } from './uploads.js';

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
  {
    batchId,
    estimates,
    nowMs,
  }: { readonly batchId: string; readonly estimates: readonly RowEstimate[]; readonly nowMs: number },
): Promise<void> {
  await ledger.write(async (tx) => {
    const batch = await lockBatch(tx, batchId);
    if (batch.state !== 'preparing') return;
    const { allowFree } = settingsOf(batch);
    const assumptions = new Set(JSON.parse(batch.assumptions) as string[]); // written here
    const known = assumptions.size;
    for (const estimate of estimates) {
      const judged =
        'problem' in estimate
          ? ({ kind: 'unpriced', problem: estimate.problem } as const)
          : judgeEstimate(estimate, { budgetCurrency: batch.currency, allowFree });
      if (!('problem' in estimate)) for (const assumption of estimate.assumptions) assumptions.add(assumption);
      await recordPrice(tx, { batchId, rowKey: estimate.rowKey, judged, nowMs });
    }
    if (assumptions.size === known) return;
    await tx
      .updateTable('batches')
      .set({ assumptions: JSON.stringify([...assumptions].slice(0, assumptionsAtMost)) })
      .where('batch_id', '=', batchId)
      .execute();
  });
}

/** A service may word its assumptions for each movie; a plan shows some of them. */
const assumptionsAtMost = 20;

interface Price {
  readonly batchId: string;
  readonly rowKey: string;
  readonly judged: ReturnType<typeof judgeEstimate>;
  readonly nowMs: number;
}

async function recordPrice(tx: Tx, { batchId, rowKey, judged, nowMs }: Price): Promise<void> {
  const row = { batchId, rowKey, nowMs };
  if (judged.kind === 'unpriced') await setProblem(tx, { ...row, problem: judged.problem });
  else await setPrice(tx, { ...row, ...judged });
}

interface OneRow {
  readonly batchId: string;
  readonly rowKey: string;
  readonly nowMs: number;
}

const setProblem = prepared((db, { batchId, rowKey, nowMs, problem }: OneRow & { readonly problem: string }) =>
  db
    .updateTable('rows')
    .set({ estimate_problem: problem, estimated_ms: nowMs })
    .where('batch_id', '=', batchId)
    .where('row_key', '=', rowKey)
    .where('ordered', '=', 1)
    .where('state', '=', 'planned'),
);

interface RowPrice extends OneRow {
  readonly amountMinor: number;
  readonly credits: number;
  readonly runtimeSeconds: number;
}

const setPrice = prepared((db, { batchId, rowKey, nowMs, amountMinor, credits, runtimeSeconds }: RowPrice) =>
  db
    .updateTable('rows')
    .set({
      amount_minor: sql`case when amount_minor >= cast(${amountMinor} as bigint) then amount_minor
        else cast(${amountMinor} as bigint) end`,
      ...{ credits, runtime_seconds: runtimeSeconds, estimated_ms: nowMs, estimate_problem: null },
    })
    .where('batch_id', '=', batchId)
    .where('row_key', '=', rowKey)
    .where('ordered', '=', 1)
    .where('state', '=', 'planned'),
);
