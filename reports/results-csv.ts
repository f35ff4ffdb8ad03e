import { byteOrderMark, csvLine } from './csv-line.js';
import { linkInArchive, type PagePlace } from './link-in-archive.js';
import type { ResultRow } from './result-row.js';
import { type Cell, csvRow } from './table.js';

/** Files of a movie that have a column of their own; by their type. */
const fileColumns = ['final_video', 'poster', 'captions', 'storyboard'] as const;

/** What is added to the team's own columns; a manifest reader knows these names and skips them. */
const resultColumns = [
  ...['state', 'movie_id', ...fileColumns, 'other_files', 'sha256'],
  ...['estimated', 'posted', 'currency', 'verdict', 'reason'],
] as const;

export interface ResultsCsvOptions {
  readonly columns: readonly string[];
  readonly currency: string;
  /** Begins with a byte order mark: for a sheet that says anything beyond ASCII. Programs do not expect it. */
  readonly marked: boolean;
  /** Where the file lies; files are named from there. */
  readonly place: PagePlace;
}

/**
 * The sheet as the team sent it, with what became of each row beside it (RFC 4180): a column for each file, amounts as
 * numbers with their currency beside. Cells that a spreadsheet would run as a formula are written so that it does not;
 * reading the file again gives the same briefs.
 */
export function resultsCsvHead({ columns, marked }: Pick<ResultsCsvOptions, 'columns' | 'marked'>): string {
  return (marked ? byteOrderMark : '') + csvLine([...columns, ...resultColumns]);
}

export function resultsCsvRow(result: ResultRow, options: ResultsCsvOptions): string {
  const own = options.columns.map((_, index) => result.row.cells[index] ?? '');
  return csvRow([...own, ...resultCells(result, options)]);
}

function resultCells(
  { row, files, movieId, verdict, reason }: ResultRow,
  { currency, place }: ResultsCsvOptions,
): readonly Cell[] {
  const { amountMinor, money } = row;
  const amount = (shown: boolean) => (shown && amountMinor !== null ? { amountMinor, currency } : null);
  const fileOf = (type: string) => files.find((file) => file.type === type);
  const paths = fileColumns.map((type) => fileOf(type)?.path);
  const others = files.map(({ path }) => path).filter((path) => !paths.includes(path));
  return [
    ...[row.state, movieId],
    ...paths.map((path) => (path === undefined ? null : linkInArchive(path, place))),
    others.map((path) => linkInArchive(path, place)).join(' '),
    fileOf('final_video')?.sha256 ?? null,
    ...[amount(row.ordered), amount(money === 'posted'), currency, verdict, reason],
  ];
}
