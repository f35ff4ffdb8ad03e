import { setTimeout as sleep } from 'node:timers/promises';
import type { MovieApi } from '../api/movie-api.js';
import { digestPlan } from '../domain/digests/plan-digest.js';
import { judgeEstimate } from '../domain/judge-estimate.js';
import type { Money } from '../domain/money.js';
import { type Actor, mayAct, rolesFor } from '../domain/roles.js';
import type { RowClass } from '../domain/row-class.js';
import { readPolicy } from '../ledger/access/policies.js';
import type { ClassDetail } from '../ledger/batches/rows.js';
import { LedgerError } from '../ledger/ledger.js';
import { type BudgetRecord, readLevels } from '../ledger/money/budget-levels.js';
import type { NewRow } from '../ledger/plan/create-batch.js';
import { classifyRows } from '../ledger/plan/preview-classes.js';
import { type RemovedRow, removedRows } from '../ledger/plan/removed-rows.js';
import { findUpload, rememberUpload } from '../ledger/plan/uploads.js';
import { type PricedRow, priceRows } from '../pricing/price-rows.js';
import { PricingInterrupted } from '../pricing/pricing-trouble.js';
import type { RemoteFiles } from '../pricing/reference-uploader.js';
import { withLimit } from './assumed-limit.js';
import type { OperationDeps } from './deps.js';
import type { OpenManifest } from './open-manifest.js';

export interface PlanRow {
  readonly rowKey: string;
  readonly class: RowClass;
  readonly classDetail: ClassDetail | null;
  readonly ordered: boolean;
  readonly contentDigest: string;
  /** Null for a row that would not be ordered or has no price. */
  readonly amountMinor: number | null;
  readonly credits: number | null;
  readonly runtimeSeconds: number | null;
  /** Why a row that would be ordered has no price. */
  readonly problem: string | null;
}

/** What a manifest would order now, in the order of the sheet. */
export interface Plan {
  readonly campaign: string;
  readonly budgetPath: string;
  /** The defined levels of that path, outermost first; none if it is not funded. */
  readonly levels: readonly BudgetRecord[];
  readonly rows: readonly PlanRow[];
  /** Rows of the campaign, delivered or in progress, that the sheet no longer has; nothing happens to them. */
  readonly removed: readonly RemovedRow[];
  /** Null when a row is unpriced: such a plan cannot be approved. */
  readonly planDigest: string | null;
  readonly currency: string | null;
  readonly totalMinor: number;
  readonly credits: number;
  readonly runtimeSeconds: number;
  readonly assumptions: readonly string[];
}

export interface PlanInput {
  readonly manifest: OpenManifest;
  readonly actor: Actor;
  /** Called only when something has to be priced. */
  readonly api: () => Promise<MovieApi>;
  readonly remoteFiles: RemoteFiles;
  readonly signal?: AbortSignal;
  /** The limit that the campaign's own level would get; nothing is stored. */
  readonly limit?: Money;
  /** Called before anything is sent: how many rows to price, and how many files to upload for that. */
  readonly onBegin?: (work: { readonly rowsToPrice: number; readonly filesToUpload: number }) => void;
  readonly onPriced?: (rows: number) => void;
  /** Waits when the service asks for it. */
  readonly wait?: (delayMs: number, signal?: AbortSignal) => Promise<void>;
}

/** Maximum concurrent estimates. */
const maxConcurrentEstimates = 8;

/**
 * Classifies and prices what a manifest would order. References are uploaded, once per content, and recorded; apart
 * from that nothing is stored, and nothing is ordered.
 *
 * @throws PricingInterrupted when the service refuses as a whole or cannot be reached.
 */
export async function plan(deps: OperationDeps, input: PlanInput): Promise<Plan> {
  const { manifest, actor } = input;
  if (!mayAct(actor, 'submit')) {
    const may = rolesFor('submit').join(' or ');
    throw new LedgerError(
      'not_allowed',
      `Cannot plan ${manifest.campaign}: ${actor.name} does not have the ${may} role`,
    );
  }
  const unpriced = await classes(deps, input);
  const prices = await priceAll(deps, input, unpriced);
  return assemble(deps, manifest, { unpriced, prices, limit: input.limit });
}

type UnpricedRow = Pick<PlanRow, 'rowKey' | 'class' | 'classDetail' | 'ordered' | 'contentDigest'>;

async function classes(deps: OperationDeps, { manifest, onBegin }: PlanInput): Promise<readonly UnpricedRow[]> {
  const { ledger, service } = deps;
  const { campaign, settings: rules } = manifest;
  const found: UnpricedRow[] = [];
  const contents = new Set<string>();
  for await (const rows of manifest.rows()) {
    const page = await classifyRows(ledger, { service, campaign, rules, rows });
    for (const [index, one] of page.entries()) {
      found.push({ ...one, contentDigest: rows[index]?.contentDigest ?? '' });
      if (one.ordered) for (const sha256 of contentsOf(rows[index])) contents.add(sha256);
    }
  }
  let filesToUpload = 0;
  for (const sha256 of contents) if ((await findUpload(ledger, { service, sha256 })) === null) filesToUpload += 1;
  onBegin?.({ rowsToPrice: found.filter(({ ordered }) => ordered).length, filesToUpload });
  return found;
}

function contentsOf(row: NewRow | undefined): readonly string[] {
  const sources = row?.brief.references.map(({ source }) => source) ?? [];
  return sources.flatMap((source) => (source.kind === 'id' || source.sha256 === null ? [] : [source.sha256]));
}

type Prices = ReadonlyMap<string, PricedRow>;

async function priceAll(deps: OperationDeps, input: PlanInput, rows: readonly UnpricedRow[]): Promise<Prices> {
  const ordered = new Set(rows.filter((row) => row.ordered).map(({ rowKey }) => rowKey));
  const prices = new Map<string, PricedRow>();
  const onRow = (row: PricedRow) => {
    prices.set(row.rowKey, row);
    input.onPriced?.(prices.size);
  };
  for await (const page of input.manifest.rows()) {
    const briefs = page.map(({ brief }) => brief).filter(({ rowKey }) => ordered.has(rowKey));
    for (;;) {
      const left = briefs.filter(({ rowKey }) => !prices.has(rowKey));
      if (left.length === 0) break;
      await pricePage(deps, input, { briefs: left, onRow });
    }
  }
  return prices;
}

/** Waits when the service asks to; throws for anything else that stops it. */
async function pricePage(
  { ledger, service, clock }: OperationDeps,
  { api, remoteFiles, signal, wait = pause }: PlanInput,
  page: Pick<Parameters<typeof priceRows>[0], 'briefs' | 'onRow'>,
): Promise<void> {
  try {
    await priceRows({
      ...{ api: await api(), remoteFiles, signal, ...page, concurrency: maxConcurrentEstimates },
      uploads: {
        find: (sha256) => findUpload(ledger, { service, sha256 }),
        remember: (sha256, upload) => rememberUpload(ledger, { service, sha256, ...upload, nowMs: clock() }),
      },
    });
  } catch (error) {
    if (!(error instanceof PricingInterrupted) || error.retryAfterMs === null) throw error;
    await wait(error.retryAfterMs, signal);
  }
}

async function pause(delayMs: number, signal?: AbortSignal): Promise<void> {
  await sleep(delayMs, undefined, signal ? { signal } : {});
}

interface Assembly {
  readonly unpriced: readonly UnpricedRow[];
  readonly prices: Prices;
  readonly limit: Money | undefined;
}

async function assemble(
  { ledger, service }: OperationDeps,
  { campaign, settings }: OpenManifest,
  { unpriced, prices, limit }: Assembly,
): Promise<Plan> {
  const { budgetPath: path } = settings;
  const defined = await readLevels(ledger.db, { path, rehearsal: service.rehearsal });
  const levels = withLimit(defined, { path, rehearsal: service.rehearsal }, limit);
  const currency = settings.currency ?? levels.at(-1)?.currency ?? firstCurrency(prices);
  const rows = unpriced.map((row): PlanRow => ({
    ...row,
    ...priceOf(row, prices, { currency, allowFree: settings.allowFree }),
  }));
  const keys = new Set(rows.map(({ rowKey }) => rowKey));
  const removed = await removedRows(ledger, { service, campaign, has: (rowKey) => keys.has(rowKey) });
  const { version: policyVersion } = await readPolicy(ledger.db);
  const { budgetPath } = settings;
  const digester = digestPlan({ service, campaign, currency, budgetPath, policyVersion });
  const byKey = [...rows].sort((one, other) => (one.rowKey < other.rowKey ? -1 : 1));
  for (const { rowKey, class: rowClass, contentDigest, amountMinor } of byKey) {
    digester.add({ rowKey, class: rowClass, contentDigest, amountMinor });
  }
  const { planDigest, totalMinor } = digester.digest();
  const sum = (field: 'credits' | 'runtimeSeconds') => rows.reduce((total, row) => total + (row[field] ?? 0), 0);
  return {
    ...{ campaign, budgetPath, levels, rows, removed, currency, totalMinor },
    planDigest: rows.some(({ problem }) => problem !== null) ? null : planDigest,
    credits: sum('credits'),
    runtimeSeconds: sum('runtimeSeconds'),
    assumptions: assumptionsOf(prices),
  };
}

function priceOf(
  { rowKey, ordered }: UnpricedRow,
  prices: Prices,
  { currency, allowFree }: { readonly currency: string | null; readonly allowFree: boolean },
): Pick<PlanRow, 'amountMinor' | 'credits' | 'runtimeSeconds' | 'problem'> {
  const none = { amountMinor: null, credits: null, runtimeSeconds: null };
  if (!ordered) return { ...none, problem: null };
  const price = prices.get(rowKey);
  if (!price || 'problem' in price) return { ...none, problem: price?.problem ?? 'the service gave no estimate' };
  const judged = judgeEstimate(price, { budgetCurrency: currency ?? price.currency, allowFree });
  if (judged.kind === 'unpriced') return { ...none, problem: judged.problem };
  const { amountMinor, credits, runtimeSeconds } = judged;
  return { amountMinor, credits, runtimeSeconds, problem: null };
}

function firstCurrency(prices: Prices): string | null {
  for (const price of prices.values()) if (!('problem' in price)) return price.currency;
  return null;
}

function assumptionsOf(prices: Prices): readonly string[] {
  const said = new Set<string>();
  for (const price of prices.values()) if (!('problem' in price)) for (const one of price.assumptions) said.add(one);
  return [...said].sort();
}
