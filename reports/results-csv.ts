import { neutraliseFormula } from '../domain/formula-cell.js';
import { formatMoney } from '../domain/money.js';
import type { RowView } from '../ledger/rows.js';
import type { ResultRow } from './result-row.js';

/** What is added to the team's own columns; a manifest reader knows these names and skips them. */
const resultColumns = [
  'state',
  'movie_id',
  'asset_files',
  'sha256',
  'estimated',
  'posted',
  'verdict',
  'reason',
] as const;

/** A spreadsheet takes a file without it for its own country's encoding, and one with it for UTF-8. */
const byteOrderMark = '\ufeff';

export interface ResultsCsvOptions {
  readonly columns: readonly string[];
  readonly currency: string;
  /** Begins with a byte order mark. */
  readonly marked: boolean;
}

/** Whether a sheet says anything beyond ASCII: a plain one is left plain, for programs that do not expect the mark. */
export async function needsByteOrderMark(
  columns: readonly string[],
  rows: AsyncIterable<Pick<RowView, 'cells'>>,
): Promise<boolean> {
  if (columns.some(beyondAscii)) return true;
  for await (const { cells } of rows) if (cells.some(beyondAscii)) return true;
  return false;
}

function beyondAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 0x7f) return true;
  return false;
}

/**
 * The sheet as the team sent it, every row in its order, with what became of each beside it (RFC 4180). Cells that a
 * spreadsheet would run as a formula are written so that it does not; reading the file again gives the same briefs.
 */
export async function* resultsCsv(
  rows: AsyncIterable<ResultRow>,
  { columns, currency, marked }: ResultsCsvOptions,
): AsyncGenerator<string, void, undefined> {
  yield (marked ? byteOrderMark : '') + csvLine([...columns, ...resultColumns]);
  for await (const result of rows) {
    const own = columns.map((_, index) => result.row.cells[index] ?? '');
    yield csvLine([...own, ...resultCells(result, currency)]);
  }
}

function resultCells({ row, files, movieId, verdict, reason }: ResultRow, currency: string): string[] {
  const { amountMinor, money } = row;
  const amount = (shown: boolean) => (shown && amountMinor !== null ? formatMoney({ amountMinor, currency }) : '');
  return [
    row.state,
    movieId ?? '',
    files.map(({ path }) => path).join(' '),
    files.find(({ type }) => type === 'final_video')?.sha256 ?? '',
    amount(row.ordered),
    amount(money === 'posted'),
    verdict ?? '',
    reason ?? '',
  ];
}

function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => quoted(neutraliseFormula(cell))).join(',')}\r\n`;
}

function quoted(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
