import { z } from 'zod';
import { roomMinor } from '../../domain/budget-room.js';
import type { Actor } from '../../domain/roles.js';
import { listAudit } from '../../ledger/access/audit.js';
import { assertMay, assertSeesAll, sightOf } from '../../ledger/access/sight.js';
import type { BudgetKey, BudgetRecord } from '../../ledger/money/budget-levels.js';
import * as use from '../../ledger/money/budget-use.js';
import * as budgets from '../../ledger/money/budgets.js';
import type { OperationDeps } from '../deps.js';
import { listBudgets } from './budgets.js';

export interface BudgetPage {
  readonly level: BudgetRecord;
  /** The level and those above and below it, outermost first. */
  readonly related: readonly BudgetRecord[];
  readonly held: use.HeldUnder;
  readonly flow: readonly use.DayFlow[];
  readonly outcomes: readonly use.Outcome[];
  readonly costs: readonly use.BatchCost[];
  readonly holds: readonly HeldOfAge[];
  /** Who set which limit when, newest first; empty for people who do not see the audit. */
  readonly limits: readonly LimitChange[];
}

/** Its oldest order is named only to people who see its batch. */
export type HeldOfAge = Omit<use.HeldOfAge, 'oldest'> & { readonly oldest: use.HeldOfAge['oldest'] | null };

export interface LimitChange {
  readonly atMs: number;
  readonly by: string;
  /** Null if the level was new. */
  readonly beforeMinor: number | null;
  readonly limitMinor: number;
}

export interface BudgetLook extends BudgetKey {
  readonly actor: Actor;
}

/**
 * Shows a level, its movements of money and what they bought.
 *
 * @throws LedgerError `unknown_budget` for a level that is not defined, `not_allowed` for somebody else's.
 */
export async function showBudgetPage(deps: OperationDeps, { actor, ...key }: BudgetLook): Promise<BudgetPage> {
  const seen = (await listBudgets(deps, { actor })).filter(({ rehearsal }) => rehearsal === key.rehearsal);
  const level = seen.find(({ path }) => path === key.path) ?? (await levelOfOthers(deps, { actor, ...key }));
  const isRelated = ({ path }: BudgetRecord) =>
    path === key.path || path.startsWith(`${key.path}/`) || key.path.startsWith(`${path}/`);
  const { inCampaignsOf } = await sightOf(deps.ledger.db, actor);
  return {
    ...{ level, related: seen.filter(isRelated), held: await use.heldUnder(deps.ledger, key) },
    flow: await use.flowByDay(deps.ledger, key),
    outcomes: await use.outcomesUnder(deps.ledger, key),
    costs: await use.costsUnder(deps.ledger, { ...key, inCampaignsOf }),
    holds: await holdsFor(deps, { ...key, inCampaignsOf }),
    limits: await limitChanges(deps, { actor, ...key }),
  };
}

async function holdsFor(
  { ledger, clock }: OperationDeps,
  { inCampaignsOf, ...key }: BudgetKey & { readonly inCampaignsOf: string | null },
): Promise<readonly HeldOfAge[]> {
  const holds = await use.holdsByAge(ledger, { ...key, nowMs: clock() });
  if (inCampaignsOf === null) return holds;
  const batchIds = holds.map(({ oldest }) => oldest.batchId);
  const own = await use.ownAmong(ledger, { batchIds, name: inCampaignsOf });
  return holds.map((held) => ({ ...held, oldest: own.has(held.oldest.batchId) ? held.oldest : null }));
}

const looked = 200;
const LimitDetail = z.object({
  limit_minor: z.number(),
  limit_before: z.number().nullable(),
  rehearsal: z.boolean().optional(),
});

/** Read from the audit: nothing else keeps a former limit. */
async function limitChanges(
  { ledger }: OperationDeps,
  { actor, path, rehearsal }: BudgetLook,
): Promise<readonly LimitChange[]> {
  const { inCampaignsOf } = await sightOf(ledger.db, actor);
  if (inCampaignsOf !== null) return [];
  const records = await listAudit(ledger, { object: path, kind: 'budget_set', limit: looked });
  return records.flatMap(({ atMs, actor: { name: by }, detail }) => {
    const found = LimitDetail.safeParse(detail);
    if (!found.success || (found.data.rehearsal ?? rehearsal) !== rehearsal) return [];
    const { limit_before: beforeMinor, limit_minor: limitMinor } = found.data;
    return beforeMinor === limitMinor ? [] : [{ atMs, by, beforeMinor, limitMinor }];
  });
}

async function levelOfOthers({ ledger }: OperationDeps, { actor, ...key }: BudgetLook): Promise<BudgetRecord> {
  await assertSeesAll(ledger.db, actor, `budget ${key.path}`);
  return budgets.showBudget(ledger, key);
}

export interface LimitPreview {
  readonly level: BudgetRecord;
  readonly roomBeforeMinor: number;
  readonly roomAfterMinor: number;
  /** Plans waiting for a decision that would no longer fit; nothing approved is touched. */
  readonly shutOut: readonly { readonly batchId: string; readonly totalMinor: number }[];
}

/** Returns what a limit would change. Changes nothing. @throws LedgerError without the role. */
export async function previewLimit(
  { ledger }: OperationDeps,
  { actor, limitMinor, ...key }: BudgetLook & { readonly limitMinor: number },
): Promise<LimitPreview> {
  await assertMay(ledger.db, actor, { act: 'budget', words: `set budget ${key.path}` });
  const level = await budgets.showBudget(ledger, key);
  const roomAfterMinor = roomMinor({ ...level, limitMinor });
  const plans = await use.plansUnder(ledger, key);
  const roomBeforeMinor = roomMinor(level);
  return {
    ...{ level, roomBeforeMinor, roomAfterMinor },
    shutOut: plans.filter(({ totalMinor }) => totalMinor > roomAfterMinor && totalMinor <= roomBeforeMinor),
  };
}
