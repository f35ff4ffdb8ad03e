import { columnLetter } from '../../sheets/column.js';
import { type Finding, findingAt, wholeFile } from '../../sheets/findings/finding.js';
import { rangeOf, type SheetCells } from '../../sheets/xlsx/read-sheet.js';
import type { Sheet } from '../../sheets/xlsx/workbook.js';
import { examplesSheetName, rulesSheetName } from '../sample-sheet.js';

/** Says which sheet is read when a person could mean another, or does not see this one. */
export function sheetFindings(
  sheets: readonly Sheet[],
  { name, isVisible }: Sheet,
  asked: string | undefined,
): readonly Finding[] {
  if (!isVisible) return [warning('hidden_sheet', `the sheet "${name}" is hidden in the workbook; its rows are read`)];
  const beside = [name, examplesSheetName, rulesSheetName];
  const isOther = (sheet: Sheet) => sheet.isVisible && !beside.includes(sheet.name);
  const others = sheets.filter(isOther).map((sheet) => `"${sheet.name}"`);
  if (others.length === 0 || asked !== undefined) return [];
  const list = others.slice(0, 5).join(', ');
  return [warning('other_sheets', `it reads the sheet "${name}" and not ${list}; --sheet names another`)];
}

export function mergedFindings({ merged }: SheetCells, headerRow: number): readonly Finding[] {
  return merged.flatMap((text) => {
    const range = rangeOf(text);
    if (!range || range.lastRow + 1 <= headerRow) return [];
    const column = columnLetter(range.column);
    const row = range.firstRow + 1;
    const message = `${text} are shown as one cell; only ${column}${row} has the value`;
    return [findingAt({ ...wholeFile, row, column }, { severity: 'warning', code: 'merged_cells', message })];
  });
}

function warning(code: string, message: string): Finding {
  return findingAt(wholeFile, { severity: 'warning', code, message });
}
