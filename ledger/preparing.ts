import { type Estimate, judgeEstimate } from '../domain/estimate.js';
import { digestPlan } from '../domain/plan-digest.js';
import type { Service } from '../domain/service.js';
import { appendAudit } from './audit.js';
import type { BatchRecord } from './batch-record.js';
import { lockBatch, readBatchRecord, settingsOf } from './batch-record.js';
import { serviceNumber } from './create-batch.js';
import { approveByPolicy } from './decisions.js';
import type { Ledger, Tx } from './ledger.js';
import { readPolicy } from './policies.js';
import { type RowView, rowViews } from './rows.js';

const dayMs = 24 * 60 * 60 * 1_000;

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
  const row = tx
    .updateTable('rows')
    .where('batch_id', '=', batchId)
    .where('row_key', '=', rowKey)
    .where('ordered', '=', 1)
    .where('state', '=', 'planned');
  if (judged.kind === 'unpriced') {
    await row.set({ estimate_problem: judged.problem, estimated_ms: nowMs }).execute();
    return;
  }
  const { amountMinor, credits, runtimeSeconds } = judged;
  await row
    .set((eb) => ({
      amount_minor: eb
        .case()
        .when('amount_minor', '>=', amountMinor)
        .then(eb.ref('amount_minor'))
        .else(amountMinor)
        .end(),
      credits,
      runtime_seconds: runtimeSeconds,
      estimated_ms: nowMs,
      estimate_problem: null,
    }))
    .execute();
}

export interface UploadQuestion {
  readonly service: Pick<Service, 'name' | 'baseUrl'>;
  /** Of the file's bytes, hex. */
  readonly sha256: string;
}

/** The service's id for a file that was uploaded before, whoever uploaded it. */
export async function findUpload(ledger: Ledger, { service, sha256 }: UploadQuestion): Promise<string | null> {
  const found = await ledger.db
    .selectFrom('uploads')
    .innerJoin('services', 'services.service_no', 'uploads.service_no')
    .select('reference_id')
    .where('services.name', '=', service.name)
    .where('services.base_url', '=', service.baseUrl)
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return found?.reference_id ?? null;
}

export interface Upload extends UploadQuestion {
  readonly service: Service;
  readonly referenceId: string;
  readonly mimeType?: string | null;
  readonly nowMs: number;
}

/** Of two uploads of the same bytes the first counts. */
export async function rememberUpload(
  ledger: Ledger,
  { service, sha256, referenceId, mimeType = null, nowMs }: Upload,
): Promise<void> {
  await ledger.write(async (tx) => {
    const service_no = await serviceNumber(tx, service);
    await tx
      .insertInto('uploads')
      .values({ service_no, sha256, reference_id: referenceId, mime_type: mimeType, uploaded_ms: nowMs })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

export interface Sealed {
  readonly state: 'waiting' | 'making' | 'closed' | 'refused' | 'canceled';
  readonly reason: string | null;
}

/**
 * Fixes a priced batch: totals, digest, and the time in which it may be decided. An unpriced row refuses the plan,
 * nothing to order closes it, and policy may approve it at once. A second call answers with what the first one did.
 */
export async function sealBatch(
  ledger: Ledger,
  { batchId, nowMs }: { readonly batchId: string; readonly nowMs: number },
): Promise<Sealed> {
  return ledger.write(
    async (tx) => {
      const batch = await lockBatch(tx, batchId);
      if (batch.state !== 'preparing') return sealedAs(batch);
      const unpriced = await unpricedRows(tx, batchId);
      if (unpriced !== null) return end(tx, batch, { state: 'refused', reason: unpriced, nowMs });
      const sealed = await fixPlan(tx, batch, nowMs);
      if (sealed.rows_to_order === 0) return end(tx, sealed, { state: 'closed', reason: null, nowMs });
      await appendAudit(tx, {
        ...{ atMs: nowMs, actor: planner, act: 'seal', object: batchId },
        detail: { plan_digest: sealed.plan_digest, total_minor: sealed.total_minor, rows: sealed.rows_to_order },
      });
      const approved = await approveByPolicy(tx, sealed, nowMs);
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

const namedRowsAtMost = 5;

async function unpricedRows(tx: Tx, batchId: string): Promise<string | null> {
  const rows = await tx
    .selectFrom('rows')
    .select(['row_key', 'estimate_problem'])
    .where('batch_id', '=', batchId)
    .where('ordered', '=', 1)
    .where((eb) => eb.or([eb('amount_minor', 'is', null), eb('estimate_problem', 'is not', null)]))
    .orderBy('position')
    .limit(namedRowsAtMost + 1)
    .execute();
  const [first] = rows;
  if (!first) return null;
  const named = rows.slice(0, namedRowsAtMost).map(({ row_key }) => row_key);
  const names = named.join(', ') + (rows.length > namedRowsAtMost ? ' and more' : '');
  return `rows without a price: ${names} (${first.estimate_problem ?? 'never estimated'}); submit again when it can be had`;
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
      ...{ sealed_ms: nowMs, expires_ms: samePlan ? batch.expires_ms : nowMs + policy.approvalDays * dayMs },
      state: 'waiting',
    })
    .where('batch_id', '=', batch.batch_id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

interface Plan {
  readonly planDigest: string;
  readonly totalMinor: number;
  readonly credits: number;
  readonly runtimeSeconds: number;
  readonly rowsToOrder: number;
}

const planPage = 2_000;

/** The plan as the rows say it now, read by key in pages. */
export async function digestOfBatch(tx: Tx, batch: BatchRecord, policyVersion: number): Promise<Plan> {
  const {
    campaign,
    name,
    base_url: baseUrl,
  } = await tx
    .selectFrom('lineages')
    .innerJoin('services', 'services.service_no', 'lineages.service_no')
    .select(['campaign', 'name', 'base_url'])
    .where('lineage_no', '=', batch.lineage_no)
    .executeTakeFirstOrThrow();
  const { currency, budget_path: budgetPath } = batch;
  const digester = digestPlan({ service: { name, baseUrl }, campaign, currency, budgetPath, policyVersion });
  let [credits, runtimeSeconds, rowsToOrder] = [0, 0, 0];
  for (let after = ''; ; ) {
    const page = await tx
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
