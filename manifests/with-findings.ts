import { csvLine } from '../domain/cells/csv-line.js';
import { createFindingLog } from '../sheets/findings/finding-log.js';
import type { Finding } from '../sheets/findings/finding.js';
import type { ManifestSource } from '../sheets/sheet-source.js';
import { type ManifestOptions, openManifest } from './open-manifest.js';
import { readTable } from './rows/read-table.js';

/**
 * Writes the sheet as CSV with one more column, which says what was found in each row. It is a custom column, kept and
 * not sent, so that the sheet can be checked again as it is.
 */
export async function* sheetWithFindings(
  source: ManifestSource,
  options: ManifestOptions,
  findings: readonly Finding[],
): AsyncGenerator<Buffer, void, undefined> {
  const byRow = new Map<number, string[]>();
  for (const { row, severity, column, field, message } of findings) {
    if (row === null) continue;
    const place = [column, field].filter((part) => part !== null).join(' ');
    byRow.set(row, [...(byRow.get(row) ?? []), `${severity}${place === '' ? '' : ` ${place}`}: ${message}`]);
  }
  const { table } = await openManifest(source, options);
  const width = table.columns.length;
  yield Buffer.from(`\ufeff${csvLine([...table.columns.map(({ header }) => header), 'findings'])}`);
  for await (const { drafts } of readTable(table, source, options, createFindingLog(0))) {
    for (const { row } of drafts) {
      const cells = Array.from({ length: width }, (_, column) => row.cells?.[column] ?? '');
      yield Buffer.from(csvLine([...cells, (byRow.get(row.row) ?? []).join('; ')]));
    }
  }
}
