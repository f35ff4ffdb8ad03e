import type { Kysely } from 'kysely';
import type { Actor } from '../../domain/roles.js';
import { appendAudit } from '../access/audit.js';
import { auditedAct } from '../access/audited-act.js';
import { lockBudgets, onPostgres } from '../database/postgres.js';
import type { Tables } from '../database/tables.js';
import { type Ledger, LedgerError, type Tx } from '../ledger.js';
import { type BudgetKey, type BudgetRecord, budgetOf, readLevels } from './budget-levels.js';
import { noteNotices } from './budget-notices.js';
import { assertBudget, assertOneCurrency, type BudgetLimit } from './budget-rules.js';
import { moneyUnder } from './level-money.js';

export interface BudgetChange extends BudgetLimit {
  readonly actor: Actor;
  readonly nowMs: number;
}

/**
 * Defines a level or changes its limit. A new level counts what was committed and spent under its path before. A limit
 * below that stops new approvals under it and cancels nothing.
 *
 * @throws LedgerError for a path that is none, a limit that is no amount, or another currency than its path has.
 */
export async function setBudget(ledger: Ledger, given: BudgetChange): Promise<BudgetRecord> {
  const change = { ...given, currency: given.currency.toUpperCase() };
  const { path, rehearsal, limitMinor, currency, notifyPercent, actor, nowMs } = change;
  assertBudget(change);
  return auditedAct(ledger, { actor, act: 'budget', object: path, words: `set budget ${path}`, nowMs }, async (tx) => {
    const before: LevelBefore = (await findLevel(tx, change)) ?? (await defineLevel(tx, change));
    await assertOneCurrency(tx, change);
    const notify = notifyPercent === undefined ? before.notifyPercent : notifyPercent;
    const isOther = limitMinor !== before.limitMinor || notify !== before.notifyPercent;
    await tx
      .updateTable('budgets')
      .set({ limit_minor: limitMinor, notify_percent: notify, ...(isOther && { notified_ms: null }) })
      .where('rehearsal', '=', rehearsal ? 1 : 0)
      .where('path', '=', path)
      .execute();
    const limits = { limit_minor: limitMinor, currency, limit_before: before.isNew ? null : before.limitMinor };
    const detail = { ...limits, notify_percent: notify, rehearsal };
    await appendAudit(tx, { atMs: nowMs, actor, act: 'budget_set', object: path, detail });
    await noteNotices(tx, change, { actor, nowMs });
    return readLevel(tx, change);
  });
}

interface LevelBefore extends Pick<BudgetRecord, 'limitMinor' | 'notifyPercent'> {
  readonly isNew?: boolean;
}

/** Nobody commits or spends between the sums and the level that they are for. */
async function defineLevel(tx: Tx, { path, rehearsal, limitMinor, currency }: BudgetChange): Promise<LevelBefore> {
  await lockBudgets(tx);
  const meanwhile = await findLevel(tx, { path, rehearsal });
  if (meanwhile) return meanwhile;
  const { committed, spent, overrun } = await moneyUnder(tx, { path, rehearsal });
  const [twin] = await levelsAt(tx, path); // of the other kind of money: a stop of the path holds for both
  await tx
    .insertInto('budgets')
    .values({
      ...{ rehearsal: rehearsal ? 1 : 0, path, currency, limit_minor: limitMinor, stopped_ms: twin?.stoppedMs ?? null },
      ...{ committed_minor: committed, spent_minor: spent, overrun_minor: overrun },
    })
    .execute();
  return { limitMinor, notifyPercent: null, isNew: true };
}

/** All levels, real money first, by path. */
export async function listBudgets(ledger: Ledger): Promise<readonly BudgetRecord[]> {
  const levels = await ledger.db.selectFrom('budgets').selectAll().orderBy('rehearsal').orderBy('path').execute();
  return levels.map(budgetOf);
}

/** @throws LedgerError for a path without a level of its own. */
export async function showBudget(ledger: Ledger, budget: BudgetKey): Promise<BudgetRecord> {
  return readLevel(ledger.db, budget);
}

export interface BudgetDeed {
  readonly path: string;
  readonly actor: Actor;
  readonly reason?: string;
  readonly nowMs: number;
}

/**
 * No order under the path leaves after this, real or rehearsed. Movies that are in the making go on and are archived.
 *
 * @returns the levels at the path, real money first.
 * @throws LedgerError for a path without a level of its own.
 */
export function stopBudget(ledger: Ledger, deed: BudgetDeed): Promise<readonly BudgetRecord[]> {
  return setStop(ledger, deed, { stoppedMs: deed.nowMs, words: `stop budget ${deed.path}`, act: 'budget_stop' });
}

export function startBudget(ledger: Ledger, deed: BudgetDeed): Promise<readonly BudgetRecord[]> {
  return setStop(ledger, deed, { stoppedMs: null, words: `start budget ${deed.path}`, act: 'budget_start' });
}

interface Stop {
  readonly stoppedMs: number | null;
  readonly words: string;
  readonly act: 'budget_stop' | 'budget_start';
}

function setStop(
  ledger: Ledger,
  { path, actor, reason, nowMs }: BudgetDeed,
  { stoppedMs, words, act }: Stop,
): Promise<readonly BudgetRecord[]> {
  return auditedAct(ledger, { actor, act: 'budget', object: path, words, nowMs }, async (tx) => {
    const levels = await levelsAt(tx, path, { locked: true });
    if (levels.length === 0) throw unknownBudget(path);
    if (levels.every((level) => (level.stoppedMs === null) === (stoppedMs === null))) return levels;
    await tx.updateTable('budgets').set({ stopped_ms: stoppedMs }).where('path', '=', path).execute();
    await appendAudit(tx, { atMs: nowMs, actor, act, object: path, detail: { reason: reason ?? null } });
    return levelsAt(tx, path);
  });
}

async function levelsAt(
  db: Kysely<Tables>,
  path: string,
  { locked = false }: { readonly locked?: boolean } = {},
): Promise<readonly BudgetRecord[]> {
  const query = db.selectFrom('budgets').selectAll().where('path', '=', path).orderBy('rehearsal');
  return (await (locked && onPostgres(db) ? query.forUpdate() : query).execute()).map(budgetOf);
}

async function findLevel(db: Kysely<Tables>, budget: BudgetKey): Promise<BudgetRecord | undefined> {
  const levels = await readLevels(db, budget);
  return levels.find((level) => level.path === budget.path);
}

async function readLevel(db: Kysely<Tables>, budget: BudgetKey): Promise<BudgetRecord> {
  const level = await findLevel(db, budget);
  if (level) return level;
  throw unknownBudget(budget.path);
}

function unknownBudget(path: string): LedgerError {
  return new LedgerError('unknown_budget', `Cannot find budget ${path}: no such level is defined`);
}
