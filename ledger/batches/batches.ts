import { type Kysely, type Selectable, sql } from 'kysely';
import type { BatchState } from '../../domain/batch-state.js';
import { openBatchStates } from '../../domain/batch-state.js';
import { levelsOf } from '../../domain/budget-room.js';
import type { Service } from '../../domain/service.js';
import { type Stop, type StopKind, wayOut } from '../../domain/stop.js';
import { inTheirCampaigns } from '../access/sight.js';
import { pastPlanned } from '../database/partial-indexes.js';
import type { DecisionsTable, Tables } from '../database/tables.js';
import type { Ledger } from '../ledger.js';
import type { BatchSettings } from './batch-record.js';
import { type BatchRecord, readBatchRecord, settingsOf, storedStops, unknownBatch } from './batch-record.js';
import { ofService } from './service-filter.js';

/** Minor units of one currency. */
export interface BatchMoney {
  readonly currency: string;
  readonly estimated: number;
  readonly approved: number;
  readonly held: number;
  readonly posted: number;
  readonly refunded: number;
  readonly returned: number;
  readonly overrun: number;
  /** The part of `held` that belongs to rows whose outcome is unknown. */
  readonly unknown: number;
}

export interface DecisionView {
  readonly kind: 'approved' | 'rejected';
  readonly by: string;
  readonly channel: string;
  readonly atMs: number;
  readonly reason: string | null;
  readonly selfApproved: boolean;
}

export interface BatchView {
  readonly batchId: string;
  readonly campaign: string;
  readonly service: Service;
  readonly number: number;
  readonly state: BatchState;
  /** Why it was refused, expired or canceled. */
  readonly stateReason: string | null;
  readonly settings: BatchSettings;
  /** Its movies in progress at most, as it is now; null: what a worker allows. */
  readonly maxInFlight: number | null;
  readonly manifestName: string;
  readonly columns: readonly string[];
  readonly planDigest: string | null;
  readonly policyVersion: number | null;
  readonly totalMinor: number | null;
  readonly currency: string | null;
  readonly credits: number | null;
  readonly runtimeSeconds: number | null;
  readonly assumptions: readonly string[];
  readonly rowsInSheet: number;
  readonly rowsToOrder: number;
  readonly submittedBy: string;
  readonly submittedAtMs: number;
  readonly sealedAtMs: number | null;
  readonly expiresAtMs: number | null;
  readonly decision: DecisionView | null;
  readonly stops: readonly Stop[];
  readonly money: BatchMoney;
  readonly failedRows: number;
  readonly canceledAtMs: number | null;
  readonly settledAtMs: number | null;
  /** Since when its briefs, answers and lists of files are in a file of the archive; null while they are here. */
  readonly archivedAtMs: number | null;
  /** Changes with everything that happens to the batch under its lock. */
  readonly revision: number;
}

/** @throws LedgerError for an id that no batch has. */
export function readBatch(ledger: Ledger, batchId: string): Promise<BatchView> {
  return readBatchIn(ledger.db, batchId);
}

/** `readBatch` within a transaction. */
export async function readBatchIn(db: Kysely<Tables>, batchId: string): Promise<BatchView> {
  const [view] = await viewsOf(db, (query) => query.where('batches.batch_id', '=', batchId));
  if (view) return view;
  throw unknownBatch(batchId);
}

export interface BatchFilter {
  readonly service?: Pick<Service, 'name' | 'baseUrl'>;
  readonly campaign?: string;
  readonly states?: readonly BatchState[];
  /** Only ids that begin so. */
  readonly idPrefix?: string;
  /** Only those that something has stopped. */
  readonly stopped?: boolean;
  readonly limit: number;
  /** Only campaigns in which this person submitted; null for all. */
  readonly inCampaignsOf?: string | null;
  /** Batches submitted before this one. */
  readonly before?: { readonly submittedAtMs: number; readonly batchId: string };
}

/** The newest first. */
export async function listBatches(ledger: Ledger, filter: BatchFilter): Promise<readonly BatchView[]> {
  const { service, campaign, states, idPrefix, stopped, limit, inCampaignsOf: person = null, before } = filter;
  return viewsOf(ledger.db, (query) => {
    let page = query.orderBy('batches.submitted_ms', 'desc').orderBy('batches.batch_id', 'desc').limit(limit);
    if (service) page = page.where(ofService(service));
    if (campaign !== undefined) page = page.where('lineages.campaign', '=', campaign);
    if (states) page = page.where('batches.state', 'in', states);
    if (idPrefix) page = page.where(sql`substr(batches.batch_id, 1, ${idPrefix.length})`, '=', idPrefix);
    if (stopped) page = page.where('batches.stops', '<>', '{}');
    if (person !== null) page = page.where((eb) => inTheirCampaigns(eb, person));
    if (!before) return page;
    const { submittedAtMs, batchId } = before;
    return page.where((eb) =>
      eb.or([
        eb('batches.submitted_ms', '<', submittedAtMs),
        eb.and([eb('batches.submitted_ms', '=', submittedAtMs), eb('batches.batch_id', '<', batchId)]),
      ]),
    );
  });
}

/** How many batches somebody may see, by state, and how many of them something has stopped. */
export async function countBatches(
  { db }: Pick<Ledger, 'db'>,
  { inCampaignsOf: person }: { readonly inCampaignsOf: string | null },
): Promise<{ readonly byState: Readonly<Partial<Record<BatchState, number>>>; readonly stopped: number }> {
  const counts = await db
    .selectFrom('batches')
    .select(['state'])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .select(sql<number>`cast(sum(case when stops <> '{}' then 1 else 0 end) as bigint)`.as('stopped'))
    .$if(person !== null, (query) => query.where((eb) => inTheirCampaigns(eb, person ?? '')))
    .groupBy('state')
    .execute();
  return {
    byState: Object.fromEntries(counts.map(({ state, count }) => [state, count])),
    stopped: counts.reduce((sum, { stopped }) => sum + stopped, 0),
  };
}

/** Batches of the lineage that are priced, waited on or made: what another submission has in its way. */
export async function findOpenBatches(
  ledger: Ledger,
  { service, campaign }: { readonly service: Pick<Service, 'name' | 'baseUrl'>; readonly campaign: string },
): Promise<readonly BatchView[]> {
  return listBatches(ledger, { service, campaign, states: openBatchStates, limit: 1_000 });
}

/** The budget paths that the campaigns of a person are paid from. */
export async function budgetPathsOf({ db }: Pick<Ledger, 'db'>, person: string): Promise<readonly string[]> {
  const found = await db
    .selectFrom('batches')
    .select('budget_path')
    .distinct()
    .where((eb) => inTheirCampaigns(eb, person))
    .execute();
  return found.map(({ budget_path }) => budget_path);
}

/** Whether a batch was made from the same briefs and plan settings (`digestBriefs`): then a new run joins it. */
export async function sameBriefs(ledger: Ledger, batchId: string, briefsDigest: string): Promise<boolean> {
  const batch = await readBatchRecord(ledger.db, batchId);
  return batch.briefs_digest === briefsDigest;
}

function baseQuery(db: Kysely<Tables>) {
  return db
    .selectFrom('batches')
    .innerJoin('lineages', 'lineages.lineage_no', 'batches.lineage_no')
    .innerJoin('services', 'services.service_no', 'batches.service_no')
    .leftJoin('decisions', 'decisions.batch_id', 'batches.batch_id')
    .selectAll('batches')
    .select(['lineages.campaign', 'services.name', 'services.base_url', 'services.rehearsal'])
    .select(['decisions.kind', 'decisions.by_name', 'decisions.channel', 'decisions.at_ms', 'decisions.reason'])
    .select(['decisions.self_approved'])
    .select((eb) =>
      eb
        .selectFrom('rows')
        .select(sql<number | null>`cast(sum(amount_minor) as bigint)`.as('sum'))
        .whereRef('rows.batch_id', '=', 'batches.batch_id')
        .where('rows.state', '=', 'unknown')
        .where(pastPlanned)
        .as('unknown_minor'),
    )
    .select((eb) =>
      eb
        .selectFrom('archived_batches')
        .select('archived_batches.at_ms')
        .whereRef('archived_batches.batch_id', '=', 'batches.batch_id')
        .as('archived_ms'),
    );
}

type BaseQuery = ReturnType<typeof baseQuery>;
type BaseRow = Awaited<ReturnType<BaseQuery['execute']>>[number];

async function viewsOf(db: Kysely<Tables>, narrow: (query: BaseQuery) => BaseQuery): Promise<readonly BatchView[]> {
  const rows = await narrow(baseQuery(db)).execute();
  const views: BatchView[] = [];
  for (const row of rows) views.push(viewOf(row, await stopsOf(db, row)));
  return views;
}

function viewOf(row: BaseRow, stops: readonly Stop[]): BatchView {
  return {
    batchId: row.batch_id,
    campaign: row.campaign,
    service: { name: row.name, baseUrl: row.base_url, rehearsal: row.rehearsal === 1 },
    number: row.number,
    state: row.state,
    stateReason: row.state_reason,
    settings: settingsOf(row),
    maxInFlight: row.max_in_flight,
    manifestName: row.manifest_name,
    columns: JSON.parse(row.manifest_columns) as string[], // written by createBatch
    planDigest: row.plan_digest,
    policyVersion: row.policy_version,
    totalMinor: row.total_minor,
    currency: row.currency,
    credits: row.credits,
    runtimeSeconds: row.runtime_seconds,
    assumptions: JSON.parse(row.assumptions) as string[], // written by recordEstimates
    rowsInSheet: row.rows_in_sheet,
    rowsToOrder: row.rows_to_order,
    submittedBy: row.submitted_by,
    submittedAtMs: row.submitted_ms,
    sealedAtMs: row.sealed_ms,
    expiresAtMs: row.expires_ms,
    decision: decisionOf(row),
    stops,
    money: moneyOf(row),
    failedRows: row.failed_rows,
    canceledAtMs: row.canceled_ms,
    settledAtMs: row.settled_ms,
    archivedAtMs: row.archived_ms,
    revision: row.revision,
  };
}

type DecisionColumns = { [Column in keyof Selectable<DecisionsTable>]: Selectable<DecisionsTable>[Column] | null };

export function decisionOf(
  row: Pick<DecisionColumns, 'kind' | 'by_name' | 'channel' | 'at_ms' | 'reason' | 'self_approved'>,
): DecisionView | null {
  const { kind, by_name: by, channel, at_ms: atMs, reason, self_approved } = row;
  if (kind === null || by === null || channel === null || atMs === null) return null;
  return { kind, by, channel, atMs, reason, selfApproved: self_approved === 1 };
}

function moneyOf(row: BatchRecord & { readonly unknown_minor: number | null }): BatchMoney {
  return {
    currency: row.currency,
    estimated: row.total_minor ?? 0,
    approved: row.approved_minor,
    held: row.held_minor,
    posted: row.posted_minor,
    refunded: row.refunded_minor,
    returned: row.returned_minor,
    overrun: row.overrun_minor,
    unknown: row.unknown_minor ?? 0,
  };
}

/** The batch's own stops, those of its budgets, and the one that holds a whole ledger. */
export async function stopsOf(db: Kysely<Tables>, batch: BatchRecord): Promise<readonly Stop[]> {
  const { batch_id: batchId, budget_path: budgetPath } = batch;
  const named = (kind: StopKind, sinceMs: number, detail: string, path = budgetPath): Stop => ({
    ...{ kind, sinceMs, detail },
    ...wayOut(kind, { batchId, budgetPath: path }),
  });
  const kinds = Object.entries(storedStops(batch)) as [StopKind, { sinceMs: number; detail: string }][]; // its own keys
  const own = kinds.map(([kind, { sinceMs, detail }]) => named(kind, sinceMs, detail));
  if (batch.state !== 'making') return own;
  const stopped = await db
    .selectFrom('budgets')
    .select((eb) => ['path', eb.fn.max('stopped_ms').as('stopped_ms')])
    .where('path', 'in', levelsOf(budgetPath))
    .where('stopped_ms', 'is not', null)
    .groupBy('path')
    .orderBy('path')
    .execute();
  const budgets = stopped.map(({ path, stopped_ms }) =>
    named('budget', stopped_ms ?? 0, `budget ${path} is stopped`, path),
  );
  const { halted } = await db.selectFrom('ledger').select('halted').executeTakeFirstOrThrow();
  return halted === null ? [...own, ...budgets] : [...own, ...budgets, named('restored', 0, halted)];
}
