import { fileError } from '../findings/manifest-error.js';
import { cellAddress, sheetColumns, sheetRows } from './cell-address.js';
import type { Attributes } from './xml-events.js';

/** The most cell elements that are read. */
const maxCells = 4_000_000;

/**
 * Tracks where in a sheet the elements of its part are, rows and columns from 0: a cell without an address follows the
 * one before it, a row without a number the row before.
 */
export class CellCursor {
  row = -1;
  column = -1;
  #rows = 0;
  #cells = 0;

  /** @throws ManifestError past the last row that a sheet may have. */
  openRow({ r }: Attributes): void {
    this.#rows += 1;
    const row = /^\s*\d+\s*$/.test(r ?? '') ? Number(r) - 1 : this.row + 1;
    if (row < 0 || row >= sheetRows || this.#rows > sheetRows) throw tooFar(`more than ${sheetRows} rows`);
    this.row = row;
    this.column = -1;
  }

  /** @throws ManifestError past the last column or row that a sheet may have, and for too many cells. */
  openCell({ r }: Attributes): void {
    this.#cells += 1;
    if (this.#cells > maxCells) throw tooFar(`more than ${maxCells} cells`);
    const address = cellAddress(r);
    this.column = address?.column ?? this.column + 1;
    if (address) this.row = address.row;
    if (this.column >= sheetColumns || this.row >= sheetRows) throw tooFar(`more than ${sheetColumns} columns`);
  }
}

export function tooFar(span: string) {
  return fileError('too_large', `its cells span ${span}; clear the cells far out, or save the sheet as CSV`);
}
