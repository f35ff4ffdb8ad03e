import { fileError } from '../manifest-error.js';
import { attributesOf } from './xml-tags.js';

/** What the values of a sheet do not show. Rows and columns count from 0. */
export interface CellNotes {
  readonly isFormula: boolean;
  /** A formula that was never worked out. */
  readonly lacksValue: boolean;
  /** What stands in a cell whose formula failed: `#REF!`. */
  readonly error: string | null;
  /** Number format of the cell; null where it shows the value itself. */
  readonly format: string | null;
}

export interface SheetNotes {
  /** By `row * mostColumns + column`; only cells that have something to note. */
  at(row: number, column: number): CellNotes | undefined;
  /** Ranges of cells that are shown as one, as `B2:B4`. */
  readonly merged: readonly string[];
}

const mostColumns = 16_384;
/** Cells that a sheet may span, filled or not: a single cell far out makes a reader lay out all before it. */
const mostCells = 4_000_000;

/** Rows and cells in their order; a cell's own address wins over its place. */
const tags = /<(?:\w+:)?row\b([^>]*)>|<(?:\w+:)?c\b([^>]*?)(?:\/>|>([\s\S]*?)<\/(?:\w+:)?c>)/g;

/**
 * Looks through a sheet's XML for formulas, errors and formats.
 *
 * @param formats of the workbook's cell styles, by their index
 * @throws ManifestError when its cells span more than can be laid out.
 */
export function readSheetNotes(xml: string, formats: readonly string[]): SheetNotes {
  refuseFarCells(xml);
  const notes = new Map<number, CellNotes>();
  let row = -1;
  let column = -1;
  for (const [, rowTag, cellTag = '', content = ''] of xml.matchAll(tags)) {
    if (rowTag !== undefined) {
      row = Number(attributesOf(rowTag).get('r') ?? row + 2) - 1;
      column = -1;
      continue;
    }
    const cell = attributesOf(cellTag);
    const address = cell.get('r');
    column = address === undefined ? column + 1 : columnOf(address);
    if (address !== undefined) row = Number(/\d+$/.exec(address)?.[0] ?? row + 1) - 1;
    const isFormula = /<(?:\w+:)?f[\s/>]/.test(content);
    const lacksValue = isFormula && !/<(?:\w+:)?v[\s/>]/.test(content);
    const error = cell.get('t') === 'e' ? (/<(?:\w+:)?v>([^<]*)</.exec(content)?.[1] ?? '#N/A') : null;
    const styled = formats[Number(cell.get('s') ?? 0)] ?? 'General';
    const format = styled === 'General' || styled === '@' ? null : styled;
    if (!isFormula && error === null && format === null) continue;
    notes.set(row * mostColumns + column, { isFormula, lacksValue, error, format });
  }
  return {
    at: (atRow, atColumn) => notes.get(atRow * mostColumns + atColumn),
    merged: [...xml.matchAll(/<(?:\w+:)?mergeCell\b([^>]*)>/g)].map(
      ([, tag = '']) => attributesOf(tag).get('ref') ?? '',
    ),
  };
}

/** Any address counts, wherever it stands: what reads the sheet may see a cell where this does not. */
function refuseFarCells(xml: string): void {
  let rows = 0;
  let columns = 0;
  for (const [, letters = '', digits] of xml.matchAll(/\br\s*=\s*["']([A-Za-z]*)(\d+)["']/g)) {
    rows = Math.max(rows, Number(digits));
    columns = Math.max(columns, columnOf(letters) + 1);
  }
  if (rows * Math.max(1, columns) <= mostCells && columns <= mostColumns) return;
  throw fileError(
    'too_large',
    `its cells span ${rows} rows and ${columns} columns; clear the cells far out, or save the sheet as CSV`,
  );
}

function columnOf(address: string): number {
  let column = 0;
  for (const letter of /^[A-Za-z]*/.exec(address)?.[0] ?? '')
    column = column * 26 + letter.toUpperCase().charCodeAt(0) - 64;
  return column - 1;
}
