import type { BudgetKey } from '../../operations/money/budgets.js';

/** Where a level is shown: its path has slashes, so that it stands in the query. */
export function budgetPath(at: string, { path, rehearsal }: BudgetKey): string {
  return `${at}?${new URLSearchParams({ path, ...(rehearsal && { rehearsal: 'yes' }) })}`;
}

export function budgetOf(query: Readonly<Record<string, string>>): BudgetKey {
  return { path: query.path ?? '', rehearsal: query.rehearsal === 'yes' };
}
