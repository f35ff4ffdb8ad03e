import type { Cell } from '../table.js';
import type { WorkbookTable } from '../workbook.js';
import type { BundleMovie } from './bundle-movies.js';
import type { PlacedMovie } from './place-movies.js';

export interface BundleSheetOptions {
  /** Headers of the team's own columns that the client is to see. */
  readonly columns: readonly string[];
  /** The currency of each batch, to say what each movie cost; null to say nothing of it. */
  readonly currencies: ReadonlyMap<string, string> | null;
}

const columns = [
  { name: 'number', width: 8 },
  { name: 'id', width: 22 },
  { name: 'status', width: 14 },
  { name: 'prompt', width: 60 },
  { name: 'format', width: 10 },
  { name: 'duration_seconds', width: 16 },
  { name: 'film', width: 32 },
  { name: 'poster', width: 32 },
  { name: 'captions', width: 32 },
  { name: 'sha256', width: 66 },
] as const;

/** The results as a client reads them: one file a column, numbers as numbers, nothing about how they were made. */
export function bundleTable(movies: readonly PlacedMovie[], options: BundleSheetOptions): WorkbookTable {
  const own = options.columns.map((name) => ({ name, width: 20 }));
  const money =
    options.currencies === null
      ? []
      : [
          { name: 'price', width: 12 },
          { name: 'currency', width: 10 },
        ];
  return {
    sheet: 'Movies',
    columns: [...columns, ...own, ...money],
    rows: movies.map((movie) => cellsOf(movie, options)),
  };
}

function cellsOf({ number, movie, files, ownCells }: PlacedMovie, { currencies }: BundleSheetOptions): readonly Cell[] {
  const { brief, rowKey } = movie.row;
  const file = (path: string | undefined): Cell => (path === undefined ? null : { file: path });
  const price = currencies === null ? [] : priceCells(movie, currencies);
  return [
    ...[number, rowKey, statusOf(movie), brief.prompt, formatOf(brief.aspectRatio), brief.durationSeconds],
    ...[file(files.film?.to), file(files.poster?.to), file(files.captions?.to), files.film?.sha256 ?? ''],
    ...ownCells,
    ...price,
  ];
}

/** A row that is unchanged was paid in the batch that made its movie. */
function priceCells({ paid, batchId }: BundleMovie, currencies: ReadonlyMap<string, string>): readonly Cell[] {
  const currency = currencies.get(paid?.batchId ?? batchId) ?? '';
  return [paid === null ? null : { amountMinor: paid.amountMinor, currency }, currency];
}

/** `16:9` as `16x9`: spreadsheets take the first for a time. */
function formatOf(ratio: string | null): string {
  return (ratio ?? '').replace(':', 'x');
}

function statusOf({ row, files }: PlacedMovie['movie']): string {
  if (files.length > 0) return 'delivered';
  return ['planned', 'blocked', 'ordering', 'running', 'archiving', 'open_elsewhere'].includes(row.state)
    ? 'in progress'
    : 'not delivered';
}
