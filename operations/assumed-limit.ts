import type { Money } from '../domain/money.js';
import { LedgerError } from '../ledger/ledger.js';
import type { BudgetKey, BudgetRecord } from '../ledger/money/budget-levels.js';

/**
 * Returns the levels as they would be with that limit on the campaign's own level. Stores nothing.
 *
 * @throws LedgerError `bad_argument` for a currency other than the path's.
 */
export function withLimit(
  levels: readonly BudgetRecord[],
  budget: BudgetKey,
  limit: Money | undefined,
): readonly BudgetRecord[] {
  if (!limit) return levels;
  const { amountMinor: limitMinor, currency } = limit;
  const other = levels.find((level) => level.currency !== currency);
  if (other) {
    throw new LedgerError(
      'bad_argument',
      `Cannot plan with a budget in ${currency}: ${other.path} is in ${other.currency}; one path has one currency`,
    );
  }
  const none = {
    committedMinor: 0,
    spentMinor: 0,
    overrunMinor: 0,
    notifyPercent: null,
    notifiedMs: null,
    stoppedMs: null,
  };
  const own = levels.find((level) => level.path === budget.path) ?? { ...none, ...budget, currency };
  return [...levels.filter((level) => level.path !== budget.path), { ...own, limitMinor }];
}
