import type { Actor } from '../domain/roles.js';
import { levelsOf } from '../domain/room.js';
import { assertSeesAll, sightOf } from '../ledger/access/sight.js';
import { budgetPathsOf } from '../ledger/batches/batches.js';
import type { BudgetRecord } from '../ledger/money/budget-levels.js';
import * as budgets from '../ledger/money/budgets.js';
import type { Notified, OperationDeps } from './deps.js';
import { nudgeMaking } from './nudge-making.js';

export interface LimitInput {
  readonly path: string;
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

/** Every level, by path; for who does not see everything, those that the batches of their campaigns are paid from. */
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

/** @throws LedgerError `unknown_budget` for a path without a level of its own, `not_allowed` for one of others. */
export async function showBudget(
  deps: OperationDeps,
  { path, actor }: { readonly path: string; readonly actor: Actor },
): Promise<BudgetRecord> {
  const level = (await listBudgets(deps, { actor })).find((one) => one.path === path);
  if (level) return level;
  await assertSeesAll(deps.ledger.db, actor, `budget ${path}`);
  return budgets.showBudget(deps.ledger, path);
}

/**
 * Defines a level, or changes its limit. Cancels nothing, whatever the limit.
 *
 * @throws LedgerError without the role, or for a path, amount or currency that cannot be.
 */
export function setBudget({ ledger, clock }: OperationDeps, input: LimitInput): Promise<BudgetRecord> {
  return budgets.setBudget(ledger, { ...input, nowMs: clock() });
}

/** From the commit on no order under the path leaves; movies in the making go on and are archived. */
export async function stopBudget(deps: OperationDeps, input: BudgetInput): Promise<Notified & { level: BudgetRecord }> {
  const level = await budgets.stopBudget(deps.ledger, { ...input, nowMs: deps.clock() });
  return { level, told: await nudgeMaking(deps, input.path) };
}

/** Ends a stop of that level; other stops stay. */
export async function startBudget(
  deps: OperationDeps,
  input: BudgetInput,
): Promise<Notified & { level: BudgetRecord }> {
  const level = await budgets.startBudget(deps.ledger, { ...input, nowMs: deps.clock() });
  return { level, told: await nudgeMaking(deps, input.path) };
}
