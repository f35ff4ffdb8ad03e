import { sql } from 'kysely';
import { isBudgetPath, levelsOf } from '../../domain/budget-room.js';
import { formatMoney, isCurrency } from '../../domain/money.js';
import { LedgerError, type Tx } from '../ledger.js';
import type { BudgetKey } from './budget-levels.js';

export interface BudgetLimit extends BudgetKey {
  readonly limitMinor: number;
  readonly currency: string;
  /** Share of the limit whose passing is recorded; null records none, undefined leaves it as it is. */
  readonly notifyPercent?: number | null;
}

/** @throws LedgerError for what is no path, limit, currency or share. */
export function assertBudget({ path, limitMinor, currency, notifyPercent }: BudgetLimit): void {
  const cannot = (why: string) => new LedgerError('bad_argument', `Cannot set budget ${path}: ${why}`);
  if (!isBudgetPath(path)) throw cannot('a path is names joined by "/", e.g. acme/emea/spring');
  if (!Number.isSafeInteger(limitMinor) || limitMinor < 0) {
    throw cannot(`the limit ${limitMinor} is not a whole number of minor units`);
  }
  if (!isCurrency(currency)) throw cannot(`"${currency}" is not a currency code of ISO 4217, e.g. USD`);
  if (typeof notifyPercent === 'number' && !isWholePercent(notifyPercent)) {
    throw cannot(`${notifyPercent} is not a whole percentage to notify at; use 1 to 100`);
  }
}

/** Shares of a limit are reckoned in whole numbers. */
function isWholePercent(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= 100;
}

/**
 * Sums over levels mean something only in one currency, so a path has one from its first level on.
 *
 * @throws LedgerError
 */
export async function assertOneCurrency(tx: Tx, { path, rehearsal, currency }: BudgetLimit): Promise<void> {
  const below = `${path}/`;
  const related = await tx
    .selectFrom('budgets')
    .select(['path', 'currency', 'limit_minor'])
    .where('rehearsal', '=', rehearsal ? 1 : 0)
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
