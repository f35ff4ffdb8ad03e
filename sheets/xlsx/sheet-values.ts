import { readSheet } from 'read-excel-file/node';
import { columnLetter } from '../column.js';
import { findingAt, type Trouble, wholeFile } from '../findings/finding.js';
import { ManifestError } from '../findings/manifest-error.js';
import type { SheetNotes } from './cell-notes.js';
import { showDate, showNumber } from './number-format.js';
import type { Sheet } from './workbook.js';
import { packStored } from './zip-entries.js';

/** The cells of a sheet as a person sees them, row by row from the first. */
export async function sheetCells(
  parts: ReadonlyMap<string, Buffer>,
  sheet: Sheet,
  notes: SheetNotes,
): Promise<readonly (readonly string[])[]> {
  return shownCells(await valuesOf(parts, sheet), notes);
}

/** The library's own type names the constructor of dates where it gives dates. */
type Value = string | number | boolean | Date | null;

async function valuesOf(parts: ReadonlyMap<string, Buffer>, { name }: Sheet): Promise<readonly (readonly Value[])[]> {
  try {
    return (await readSheet(packStored(parts), name, { trim: false })) as unknown as Value[][];
  } catch (cause) {
    throw unreadable(name, cause);
  }
}

/** The reader gives up at the first cell that breaks the format; its message has the place. */
function unreadable(sheet: string, cause: unknown): ManifestError {
  const message = cause instanceof Error ? cause.message : String(cause);
  const [, row, column, why] = /row (\d+), col (\d+): (\w+)/.exec(message) ?? [];
  const place =
    row === undefined ? wholeFile : { ...wholeFile, row: Number(row), column: columnLetter(Number(column) - 1) };
  const what =
    why === 'VALUE_MISSING'
      ? 'its formula has no value yet'
      : why === undefined
        ? 'its cells cannot be read'
        : `it cannot be read (${why})`;
  const again = `${what}; open the sheet "${sheet}" in a spreadsheet and save it again`;
  return new ManifestError([findingAt(place, error('broken_workbook', again))], { cause });
}

function shownCells(values: readonly (readonly Value[])[], notes: SheetNotes): readonly (readonly string[])[] {
  return values.map((row, rowIndex) =>
    row.map((value, column) => shown(value, notes.at(rowIndex, column)?.format ?? null)),
  );
}

function shown(value: Value, format: string | null): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return typeof value === 'number' ? showNumber(value, format) : showDate(value, format);
}

function error(code: string, message: string): Trouble {
  return { severity: 'error', code, message };
}
