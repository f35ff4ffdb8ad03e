import type { AuditRecord } from '../ledger/access/audit.js';
import type { MoneyMovement } from '../ledger/money/statement.js';
import { auditColumns, detailText } from './audit-csv.js';
import { csvTime } from './csv-line.js';
import { entryColumns } from './entries-csv.js';
import { type SpendGroup, type SpendSum, spendColumns } from './spend.js';
import type { WorkbookTable } from './workbook.js';

/* What the CSV exports have, as sheets of a workbook: amounts and counts are numbers, ids are text whatever they look like. */

const columnsOf = (names: readonly string[]): WorkbookTable['columns'] =>
  names.map((name) => ({ name, width: ['detail', 'note', 'hash'].includes(name) ? 40 : 18 }));

export function spendTable(sums: readonly SpendSum[], by: SpendGroup): WorkbookTable {
  const rows = sums.map(({ group, currency, rehearsal, movies, ...amounts }) => {
    const { postedMinor, refundedMinor, correctedMinor, spentMinor } = amounts;
    const money = [postedMinor, refundedMinor, correctedMinor, spentMinor].map((amountMinor) => ({
      amountMinor,
      currency,
    }));
    return [group, movies, ...money, currency, rehearsal ? 'rehearsal' : ''];
  });
  return { sheet: 'Spend', columns: columnsOf(spendColumns(by)), rows };
}

export function entriesTable(entries: readonly MoneyMovement[]): WorkbookTable {
  const rows = entries.map((entry) => {
    const { currency, amountMinor, spentMinor, overrunMinor } = entry;
    const amounts = [amountMinor, spentMinor, overrunMinor].map((minor) => ({ amountMinor: minor, currency }));
    return [
      ...[entry.entryId, csvTime(entry.atMs), entry.kind, entry.campaign, entry.batchId, entry.rowKey],
      ...[entry.attempt, entry.movieId, entry.budgetPath, entry.service],
      ...[...amounts, currency, entry.rehearsal ? 'rehearsal' : '', entry.note],
    ];
  });
  return { sheet: 'Entries', columns: columnsOf(entryColumns), rows };
}

export function auditTable(records: readonly AuditRecord[]): WorkbookTable {
  const rows = records.map(({ seq, atMs, actor, act, object, detail, afterEntry, hash }) => [
    ...[seq, csvTime(atMs), actor.name, actor.channel, act, object, detailText(detail), afterEntry, hash],
  ]);
  return { sheet: 'Audit', columns: columnsOf(auditColumns), rows };
}
