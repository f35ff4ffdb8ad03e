import { sql } from 'kysely';
import { formatMoney } from '../../domain/money.js';
import type { Actor } from '../../domain/roles.js';
import { isBudgetPath, levelsOf } from '../../domain/room.js';
import { appendAudit } from '../access/audit.js';
import { auditedAct } from '../access/audited-act.js';
import { type Ledger, LedgerError, type Tx } from '../ledger.js';
import { type BudgetRecord, budgetOf, readLevels } from './budget-levels.js';

export interface BudgetChange {
  readonly path: string;
  readonly limitMinor: number;
  readonly currency: string;
  /** Share of the limit from which finance is told; null tells nobody. */
  readonly notifyPercent?: number | null;
  readonly actor: Actor;
  readonly nowMs: number;
}

/**
 * Defines a level or changes its limit. A limit below what is spent and committed stops new approvals under it and
 * cancels nothing.
 *
 * @throws LedgerError for a path that is none, a limit that is no amount, or another currency than its path has.
 */
export async function setBudget(ledger: Ledger, change: BudgetChange): Promise<BudgetRecord> {
  const { path, limitMinor, currency, notifyPercent, actor, nowMs } = change;
  assertBudget(change);
  return auditedAct(ledger, { actor, act: 'budget', object: path, words: `set budget ${path}`, nowMs }, async (tx) => {
    await assertOneCurrency(tx, path, currency);
    const before = await findLevel(tx, path);
    const notify = notifyPercent === undefined ? {} : { notify_percent: notifyPercent };
    await tx
      .insertInto('budgets')
      .values({
        path,
        currency,
        limit_minor: limitMinor,
        ...notify,
      })
      .onConflict((conflict) => conflict.column('path').doUpdateSet({ limit_minor: limitMinor, ...notify }))
      .execute();
    const detail = { limit_minor: limitMinor, currency, limit_before: before?.limitMinor ?? null };
    await appendAudit(tx, { atMs: nowMs, actor, act: 'budget_set', object: path, detail });
    return readLevel(tx, path);
  });
}

/** All levels, by path. */
export async function listBudgets(ledger: Ledger): Promise<readonly BudgetRecord[]> {
  const levels = await ledger.db.selectFrom('budgets').selectAll().orderBy('path').execute();
  return levels.map(budgetOf);
}

/** @throws LedgerError for a path without a level of its own. */
export async function showBudget(ledger: Ledger, path: string): Promise<BudgetRecord> {
  return readLevel(ledger.db, path);
}

export interface BudgetDeed {
  readonly path: string;
  readonly actor: Actor;
  readonly reason?: string;
  readonly nowMs: number;
}

/** No order under the path leaves after this. Movies that are in the making go on and are archived. */
export async function stopBudget(ledger: Ledger, { path, actor, reason, nowMs }: BudgetDeed): Promise<BudgetRecord> {
  return auditedAct(ledger, { actor, act: 'budget', object: path, words: `stop budget ${path}`, nowMs }, async (tx) => {
    const { stoppedMs } = await readLevel(tx, path, { locked: true });
    if (stoppedMs === null) {
      await tx.updateTable('budgets').set({ stopped_ms: nowMs }).where('path', '=', path).execute();
      await appendAudit(tx, {
        atMs: nowMs,
        actor,
        act: 'budget_stop',
        object: path,
        detail: { reason: reason ?? null },
      });
    }
    return readLevel(tx, path);
  });
}

export async function startBudget(ledger: Ledger, { path, actor, reason, nowMs }: BudgetDeed): Promise<BudgetRecord> {
  return auditedAct(
    ledger,
    { actor, act: 'budget', object: path, words: `start budget ${path}`, nowMs },
    async (tx) => {
      const { stoppedMs } = await readLevel(tx, path, { locked: true });
      if (stoppedMs !== null) {
        await tx.updateTable('budgets').set({ stopped_ms: null }).where('path', '=', path).execute();
        await appendAudit(tx, {
          atMs: nowMs,
          actor,
          act: 'budget_start',
          object: path,
          detail: { reason: reason ?? null },
        });
      }
      return readLevel(tx, path);
    },
  );
}

async function findLevel(db: Tx | Ledger['db'], path: string, options = {}): Promise<BudgetRecord | undefined> {
  const levels = await readLevels(db, path, options);
  return levels.find((level) => level.path === path);
}

async function readLevel(db: Tx | Ledger['db'], path: string, options = {}): Promise<BudgetRecord> {
  const level = await findLevel(db, path, options);
  if (level) return level;
  throw new LedgerError('unknown_budget', `Cannot find budget ${path}: no such level is defined`);
}

function assertBudget({ path, limitMinor, currency, notifyPercent }: BudgetChange): void {
  const cannot = (why: string) => new LedgerError('bad_argument', `Cannot set budget ${path}: ${why}`);
  if (!isBudgetPath(path)) throw cannot('a path is names joined by "/", e.g. acme/emea/spring');
  if (!Number.isSafeInteger(limitMinor) || limitMinor < 0) {
    throw cannot(`the limit ${limitMinor} is not a whole number of minor units`);
  }
  if (!/^[A-Z]{3}$/.test(currency)) throw cannot(`"${currency}" is not a currency code, e.g. USD`);
  if (typeof notifyPercent === 'number' && !(notifyPercent > 0 && notifyPercent <= 100)) {
    throw cannot(`${notifyPercent} is not a valid percentage to notify at; use 1 to 100`);
  }
}

/** Sums over levels mean something only in one currency, so a path has one from its first level on. */
async function assertOneCurrency(tx: Tx, path: string, currency: string): Promise<void> {
  const below = `${path}/`;
  const related = await tx
    .selectFrom('budgets')
    .select(['path', 'currency', 'limit_minor'])
    .where((eb) => eb.or([eb('path', 'in', levelsOf(path)), eb(sql`substr(path, 1, ${below.length})`, '=', below)]))
    .where('currency', '!=', currency)
    .limit(1)
    .executeTakeFirst();
  if (!related) return;
  const limit = formatMoney({ amountMinor: related.limit_minor, currency: related.currency });
  throw new LedgerError(
    'bad_argument',
    `Cannot set budget ${path} in ${currency}: ${related.path} has ${limit}; one path has one currency`,
  );
}
