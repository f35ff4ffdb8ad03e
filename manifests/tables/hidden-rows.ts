import { type Column, fieldNameOf } from '../../sheets/column.js';
import { type Finding, findingAt, type Trouble, wholeFile } from '../../sheets/findings/finding.js';
import type { SheetCells } from '../../sheets/xlsx/read-sheet.js';

/** What to do with rows that a person does not see in the sheet. */
export type HiddenRows = 'order' | 'leave';

/** Nobody pays for hidden rows without having said so. */
export function hiddenRowTrouble(choice: HiddenRows | undefined): Trouble {
  switch (choice) {
    case 'order':
      return { severity: 'warning', code: 'hidden_row', message: 'the row is hidden in the workbook; it is ordered' };
    case 'leave':
      return { severity: 'warning', code: 'hidden_row', message: 'the row is hidden in the workbook; it is left out' };
    case undefined: {
      const message =
        'the row is hidden in the workbook (by hand, a filter or a folded group); --hidden-rows order or leave says whether it is ordered';
      return { severity: 'error', code: 'hidden_row', message };
    }
    default:
      return choice satisfies never;
  }
}

/** Hidden columns that are sent. */
export function hiddenColumnFindings(
  { hiddenColumns, rows }: SheetCells,
  columns: readonly Column[],
  headerRow: number,
): readonly Finding[] {
  const hidden = columns.filter(
    ({ index, use }) =>
      use.kind !== 'own' &&
      hiddenColumns.has(index) &&
      rows.some((row, at) => at >= headerRow && (row[index] ?? '').trim() !== ''),
  );
  return hidden.map((column) => {
    const place = { ...wholeFile, row: headerRow, column: column.letter, field: fieldNameOf(column) };
    const message = 'the column is hidden in the workbook; its values are sent';
    return findingAt(place, { severity: 'warning', code: 'hidden_column', message });
  });
}
