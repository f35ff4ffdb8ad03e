import { createFindingLog } from '../sheets/findings/finding-log.js';
import type { ManifestSource } from '../sheets/sheet-source.js';
import { type ManifestOptions, openManifest } from './open-manifest.js';
import { readTable } from './rows/read-table.js';

/** A row of a sheet as written, for showing the sheet; also one that cannot be used. */
export interface RowCells {
  /** The row number in a spreadsheet; in YAML the movie's place in its list. */
  readonly row: number;
  /** By column; none for a row that could not be read at all. */
  readonly cells: readonly string[];
  /** What a cell says after repair, by column. */
  readonly repaired: ReadonlyMap<number, string>;
}

export interface WantedRows {
  /** Rows by their numbers; null for all. */
  readonly only: ReadonlySet<number> | null;
  /** How many of those rows to skip first. */
  readonly skip: number;
  readonly limit: number;
}

/**
 * Reads some rows of a sheet in order. The file is read up to the last one of them; memory is that of the rows.
 *
 * @throws ManifestError for a file that is not a manifest at all.
 */
export async function readCells(
  source: ManifestSource,
  options: ManifestOptions,
  { only, skip, limit }: WantedRows,
): Promise<readonly RowCells[]> {
  const { table } = await openManifest(source, options);
  const found: RowCells[] = [];
  let passed = 0;
  for await (const { drafts } of readTable(table, source, options, createFindingLog(0))) {
    for (const { row, fixes } of drafts) {
      if (only !== null && !only.has(row.row)) continue;
      passed += 1;
      if (passed <= skip) continue;
      const repaired = new Map(fixes.map(({ column, text }) => [column, text]));
      found.push({ row: row.row, cells: row.cells ?? [], repaired });
      if (found.length >= limit) return found;
    }
  }
  return found;
}
