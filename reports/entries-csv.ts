import type { MoneyMovement } from '../ledger/money/statement.js';
import { byteOrderMark, csvLine, csvTime, plainAmount } from './csv-line.js';

export const entryColumns = [
  ...['entry', 'at_utc', 'kind', 'campaign', 'batch', 'row', 'attempt', 'movie_id', 'budget', 'service'],
  ...['amount', 'spent', 'overrun', 'currency', 'rehearsal', 'note'],
];

/** For a spreadsheet or an accounting program: a line for each entry, amounts as numbers with their currency beside. */
export function entriesCsvHead({ marked }: { readonly marked: boolean }): string {
  return (marked ? byteOrderMark : '') + csvLine(entryColumns);
}

export function entriesCsvRow(entry: MoneyMovement): string {
  const { currency, amountMinor, spentMinor, overrunMinor } = entry;
  const amounts = [amountMinor, spentMinor, overrunMinor].map((minor) => plainAmount({ amountMinor: minor, currency }));
  return csvLine([
    ...[String(entry.entryId), csvTime(entry.atMs), entry.kind, entry.campaign, entry.batchId, entry.rowKey ?? ''],
    ...[entry.attempt === null ? '' : String(entry.attempt), entry.movieId ?? '', entry.budgetPath, entry.service],
    ...[...amounts, currency, entry.rehearsal ? 'rehearsal' : '', entry.note ?? ''],
  ]);
}
