import { fileError } from '../findings/manifest-error.js';
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
  /** Ranges of cells that are shown as one, as `B2:B4`; the first 1,000. */
  readonly merged: readonly string[];
}

const mostColumns = 16_384;
const mostRows = 1_048_576;
/** Cells that a sheet may span, filled or not: a single cell far out makes a reader lay out all before it. */
const mostCells = 4_000_000;
const mostMerged = 1_000;

/** Tags that matter here, each with what is written in it. None is looked for past the next `<` (xml-tags.ts). */
const tags = /<(\/?)(?:\w+:)?(row|c|f|v|mergeCell)(?=[\s/>])([^<>]*)>/g;

/**
 * Looks through a sheet's XML for formulas, errors and formats.
 *
 * @param formats of the workbook's cell styles, by their index
 * @throws ManifestError when its cells span more than can be laid out.
 */
export function readSheetNotes(xml: string, formats: readonly string[]): SheetNotes {
  refuseFarCells(xml);
  const notes = new Map<number, CellNotes>();
  const merged: string[] = [];
  const cells = new CellReader(formats, notes);
  for (const { 1: end, 2: name, 3: tag = '', index, 0: whole } of xml.matchAll(tags)) {
    if (name === 'mergeCell') {
      if (merged.length < mostMerged) merged.push(attributesOf(tag).get('ref') ?? '');
    } else if (name === 'row') {
      if (end === '') cells.openRow(tag);
    } else if (name === 'c') {
      if (end === '') cells.openCell(tag);
      if (end !== '' || tag.endsWith('/')) cells.closeCell();
    } else if (end === '') cells.part(name === 'f' ? 'formula' : 'value', () => textAfter(xml, index + whole.length));
  }
  cells.closeCell();
  return { at: (row, column) => notes.get(row * mostColumns + column), merged };
}

function textAfter(xml: string, from: number): string {
  const end = xml.indexOf('<', from);
  return xml.slice(from, Math.min(end === -1 ? xml.length : end, from + longestError));
}

const longestError = 40;

/** Rows and cells in their order; a cell's own address wins over its place. */
class CellReader {
  readonly #formats: readonly string[];
  readonly #notes: Map<number, CellNotes>;
  #row = -1;
  #column = -1;
  #count = 0;
  #rows = 0;
  #cell: { attributes: ReadonlyMap<string, string>; isFormula: boolean; value: string | null } | null = null;

  constructor(formats: readonly string[], notes: Map<number, CellNotes>) {
    this.#formats = formats;
    this.#notes = notes;
  }

  openRow(tag: string): void {
    this.closeCell();
    this.#rows += 1;
    if (this.#rows > mostRows) throw tooLarge(`${mostRows} rows and more`);
    this.#row = Number(attributesOf(tag).get('r') ?? this.#row + 2) - 1;
    this.#column = -1;
  }

  openCell(tag: string): void {
    this.closeCell();
    this.#count += 1;
    if (this.#count > mostCells) throw tooLarge(`${mostCells} and more`);
    const attributes = attributesOf(tag);
    const address = attributes.get('r');
    this.#column = address === undefined ? this.#column + 1 : columnOf(address);
    if (address !== undefined) this.#row = Number(/\d+$/.exec(address)?.[0] ?? this.#row + 1) - 1;
    this.#cell = { attributes, isFormula: false, value: null };
  }

  part(kind: 'formula' | 'value', text: () => string): void {
    if (!this.#cell) return;
    if (kind === 'formula') this.#cell.isFormula = true;
    else this.#cell.value = this.#cell.attributes.get('t') === 'e' ? text() : '';
  }

  closeCell(): void {
    if (!this.#cell) return;
    const { attributes, isFormula, value } = this.#cell;
    this.#cell = null;
    const error = attributes.get('t') === 'e' ? (value ?? '#N/A') : null;
    const styled = this.#formats[Number(attributes.get('s') ?? 0)] ?? 'General';
    const format = styled === 'General' || styled === '@' ? null : styled;
    if (!isFormula && error === null && format === null) return;
    const lacksValue = isFormula && value === null;
    this.#notes.set(this.#row * mostColumns + this.#column, { isFormula, lacksValue, error, format });
  }
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
  throw tooLarge(`${rows} rows and ${columns} columns`);
}

function tooLarge(span: string) {
  return fileError('too_large', `its cells span ${span}; clear the cells far out, or save the sheet as CSV`);
}

function columnOf(address: string): number {
  let column = 0;
  for (const letter of /^[A-Za-z]*/.exec(address)?.[0] ?? '')
    column = column * 26 + letter.toUpperCase().charCodeAt(0) - 64;
  return column - 1;
}
