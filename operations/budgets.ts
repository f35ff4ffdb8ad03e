import type { Actor } from '../domain/roles.js';
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

/** Every level, by path. */
export function listBudgets({ ledger }: OperationDeps): Promise<readonly BudgetRecord[]> {
  return budgets.listBudgets(ledger);
}

/** @throws LedgerError `unknown_budget` for a path without a level of its own. */
export function showBudget({ ledger }: OperationDeps, path: string): Promise<BudgetRecord> {
  return budgets.showBudget(ledger, path);
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
