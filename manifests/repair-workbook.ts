import { createFindingLog } from '../sheets/findings/finding-log.js';
import { naming } from '../sheets/findings/manifest-error.js';
import type { ManifestSource } from '../sheets/sheet-source.js';
import { openPackage } from '../sheets/xlsx/workbook-package.js';
import { chooseSheet, readWorkbook } from '../sheets/xlsx/workbook.js';
import { type NewText, withTexts } from '../sheets/xlsx/write-cells.js';
import { type ManifestOptions, openManifest } from './open-manifest.js';
import { readTable } from './rows/read-table.js';
import { wholeFileOf } from './tables/xlsx-table.js';

/**
 * Writes a workbook with its repairs made: styles, other sheets and everything else stay.
 *
 * @throws ManifestError when a repair would replace a formula.
 */
export async function* repairedWorkbook(
  source: ManifestSource,
  options: Omit<ManifestOptions, 'strict'>,
): AsyncGenerator<Buffer, void, undefined> {
  const { table } = await openManifest(source, options);
  const texts: NewText[] = [];
  for await (const { drafts } of readTable(table, source, options, createFindingLog(0))) {
    for (const { row, fixes } of drafts) {
      for (const { column, text } of fixes) texts.push({ row: row.row - 1, column, text });
    }
  }
  try {
    const parts = await openPackage(await wholeFileOf(source));
    const { sheets } = await readWorkbook(parts);
    yield await withTexts(parts, chooseSheet(sheets, options.sheet).part, texts);
  } catch (error) {
    throw naming(source.name, error);
  }
}
