import type { DayFlow } from '../ledger/money/budget-use.js';
import { csvLine, plainAmount } from './csv-line.js';

/** How a budget was used, a line a day with something in it; amounts as plain numbers, their currency beside them. */
export function daysCsv(flow: readonly DayFlow[], currency: string): string {
  const lines = flow.map(({ day, approvedMinor, spentMinor }) => {
    const amounts = [approvedMinor, spentMinor].map((amountMinor) => plainAmount({ amountMinor, currency }));
    return csvLine([day, ...amounts, currency]);
  });
  return [csvLine(['day_utc', 'approved', 'spent', 'currency']), ...lines].join('');
}
