import { levelsOf } from '../../domain/budget-room.js';
import type { Actor } from '../../domain/roles.js';
import { assertSeesAll, sightOf } from '../../ledger/access/sight.js';
import { budgetPathsOf } from '../../ledger/batches/batches.js';
import { openLedger } from '../../ledger/ledger.js';
import { type BudgetKey, type BudgetRecord, readLevels } from '../../ledger/money/budget-levels.js';
import * as budgets from '../../ledger/money/budgets.js';
import type { Notified, OperationDeps } from '../deps.js';
import { nudgeMaking } from '../nudge-making.js';

export type { BudgetKey, BudgetRecord } from '../../ledger/money/budget-levels.js';

export interface LimitInput {
  readonly path: string;
  /** Default: that of the movie service of this installation. */
  readonly rehearsal?: boolean | undefined;
  readonly limitMinor: number;
  readonly currency: string;
  readonly notifyPercent?: number | null;
  readonly actor: Actor;
}

export interface BudgetInput {
  readonly path: string;
  readonly actor: Actor;
  readonly reason?: string;
}

/** Every level, real money first, by path; without `see_all`, those that pay for batches of the person's campaigns. */
export async function listBudgets(
  { ledger }: OperationDeps,
  { actor }: { readonly actor: Actor },
): Promise<readonly BudgetRecord[]> {
  const { inCampaignsOf } = await sightOf(ledger.db, actor);
  const levels = await budgets.listBudgets(ledger);
  if (inCampaignsOf === null) return levels;
  const paths = await budgetPathsOf(ledger, inCampaignsOf);
  const theirs = new Set(paths.flatMap((path) => levelsOf(path)));
  return levels.filter(({ path }) => theirs.has(path));
}

/** Whether the ledger at an address has a budget for this path; called before anything is started. */
export async function hasBudget(url: string, budget: BudgetKey): Promise<boolean> {
  const ledger = await openLedger({ url });
  try {
    return (await readLevels(ledger.db, budget)).length > 0;
  } finally {
    await ledger.close();
  }
}

/**
 * Shows the levels at a path: of real money, of rehearsals, or both.
 *
 * @throws LedgerError `unknown_budget` for a path without a level of its own, `not_allowed` for somebody else's.
 */
export async function showBudget(
  deps: OperationDeps,
  { path, actor }: { readonly path: string; readonly actor: Actor },
): Promise<readonly BudgetRecord[]> {
  const levels = (await listBudgets(deps, { actor })).filter((one) => one.path === path);
  if (levels.length > 0) return levels;
  await assertSeesAll(deps.ledger.db, actor, `budget ${path}`);
  return [await budgets.showBudget(deps.ledger, { path, rehearsal: deps.service.rehearsal })];
}

/**
 * Defines a level, or changes its limit. Cancels nothing, whatever the limit.
 *
 * @throws LedgerError without the role, or for an invalid path, amount or currency.
 */
export function setBudget({ ledger, service, clock }: OperationDeps, input: LimitInput): Promise<BudgetRecord> {
  const rehearsal = input.rehearsal ?? service.rehearsal;
  return budgets.setBudget(ledger, { ...input, rehearsal, nowMs: clock() });
}

/** From the commit on no order under the path leaves; movies in progress continue and are archived. */
export async function stopBudget(
  deps: OperationDeps,
  input: BudgetInput,
): Promise<Notified & { levels: readonly BudgetRecord[] }> {
  const levels = await budgets.stopBudget(deps.ledger, { ...input, nowMs: deps.clock() });
  return { levels, told: await nudgeMaking(deps, input.path) };
}

/** Ends the stop of this level; other stops stay. */
export async function startBudget(
  deps: OperationDeps,
  input: BudgetInput,
): Promise<Notified & { levels: readonly BudgetRecord[] }> {
  const levels = await budgets.startBudget(deps.ledger, { ...input, nowMs: deps.clock() });
  return { levels, told: await nudgeMaking(deps, input.path) };
}
