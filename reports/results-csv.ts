import { formatMoney } from '../domain/money.js';
import { byteOrderMark, csvLine } from './csv-line.js';
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

export interface ResultsCsvOptions {
  readonly columns: readonly string[];
  readonly currency: string;
  /** Begins with a byte order mark: for a sheet that says anything beyond ASCII. Programs do not expect it. */
  readonly marked: boolean;
}

/**
 * The sheet as the team sent it, with what became of each row beside it (RFC 4180). Cells that a spreadsheet would run
 * as a formula are written so that it does not; reading the file again gives the same briefs.
 */
export function resultsCsvHead({ columns, marked }: ResultsCsvOptions): string {
  return (marked ? byteOrderMark : '') + csvLine([...columns, ...resultColumns]);
}

export function resultsCsvRow(result: ResultRow, { columns, currency }: ResultsCsvOptions): string {
  const own = columns.map((_, index) => result.row.cells[index] ?? '');
  return csvLine([...own, ...resultCells(result, currency)]);
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
