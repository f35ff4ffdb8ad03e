import type { DaySpend } from '../ledger/money/spend.js';
import { csvLine, plainAmount } from './csv-line.js';

/** What spend is summed by. */
export const spendGroups = ['campaign', 'batch', 'budget', 'day'] as const;
export type SpendGroup = (typeof spendGroups)[number];

/** Spend of one campaign, batch, budget path or day, in one currency; a rehearsal's apart from real money. */
export interface SpendSum {
  readonly group: string;
  readonly currency: string;
  readonly rehearsal: boolean;
  readonly movies: number;
  readonly postedMinor: number;
  readonly refundedMinor: number;
  readonly correctedMinor: number;
  /** Posted less refunds, with what invoices changed. */
  readonly spentMinor: number;
}

const keyOf: Readonly<Record<SpendGroup, (spend: DaySpend) => string>> = {
  campaign: ({ campaign }) => campaign,
  batch: ({ batchId }) => batchId,
  budget: ({ budgetPath }) => budgetPath,
  day: ({ day }) => day,
};

/** Sums in the order of their names. */
export function sumSpend(spends: readonly DaySpend[], by: SpendGroup): readonly SpendSum[] {
  const sums = new Map<string, SpendSum>();
  for (const spend of spends) {
    const { currency, rehearsal, postedMinor, refundedMinor, correctedMinor, movies } = spend;
    const group = keyOf[by](spend);
    const key = JSON.stringify([group, currency, rehearsal]);
    const sum = sums.get(key);
    sums.set(key, {
      ...{ group, currency, rehearsal },
      movies: (sum?.movies ?? 0) + movies,
      postedMinor: (sum?.postedMinor ?? 0) + postedMinor,
      refundedMinor: (sum?.refundedMinor ?? 0) + refundedMinor,
      correctedMinor: (sum?.correctedMinor ?? 0) + correctedMinor,
      spentMinor: (sum?.spentMinor ?? 0) + postedMinor - refundedMinor + correctedMinor,
    });
  }
  return [...sums.values()].sort((one, other) => (one.group < other.group ? -1 : one.group > other.group ? 1 : 0));
}

export function spendColumns(by: SpendGroup): readonly string[] {
  return [by, 'movies', 'posted', 'refunded', 'corrected', 'spent', 'currency', 'note'];
}

/** For a spreadsheet: amounts as plain numbers, their currency beside them. */
export function spendCsv(sums: readonly SpendSum[], by: SpendGroup): string {
  const lines = sums.map(({ group, currency, rehearsal, movies, ...amounts }) => {
    const { postedMinor, refundedMinor, correctedMinor, spentMinor } = amounts;
    const money = [postedMinor, refundedMinor, correctedMinor, spentMinor].map((amountMinor) =>
      plainAmount({ amountMinor, currency }),
    );
    return csvLine([group, String(movies), ...money, currency, rehearsal ? 'rehearsal' : '']);
  });
  return [csvLine(spendColumns(by)), ...lines].join('');
}
