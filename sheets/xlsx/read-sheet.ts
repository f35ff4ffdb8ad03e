import { cellAddress, sheetColumns } from './cell-address.js';
import { CellCursor, tooFar } from './cell-cursor.js';
import { CellLinks } from './cell-links.js';
import { type CellNotes, readCell, type WorkbookValues } from './cell-value.js';
import type { WorkbookPackage } from './workbook-package.js';
import { RichText } from './workbook-texts.js';
import { type Attributes, isOn, readXml, type XmlReader } from './xml-events.js';

/** A sheet as a person sees it. Rows and columns count from 0. */
export interface SheetCells {
  /** Row by row from the first, blank ones too. */
  readonly rows: readonly (readonly string[])[];
  notesAt(row: number, column: number): CellNotes | undefined;
  /** The web address that a click on the cell opens; null for none. */
  linkAt(row: number, column: number): string | null;
  /** Rows that a person does not see: hidden, filtered out, folded away, without height. */
  readonly hiddenRows: ReadonlySet<number>;
  readonly hiddenColumns: ReadonlySet<number>;
  /** Merged ranges, e.g. `B2:B4`; the first 1,000. */
  readonly merged: readonly string[];
}

export interface SheetContext extends WorkbookValues {
  /** Formats of the cell styles, by index. */
  readonly formats: readonly (string | null)[];
}

/**
 * Reads the cells of a sheet. One without an address follows the one before it; of two with the same address, the later
 * one counts.
 *
 * @param part its name in the archive
 * @throws ManifestError when it is damaged or has more cells than can be laid out.
 */
export async function readSheet(parts: WorkbookPackage, part: string, context: SheetContext): Promise<SheetCells> {
  const reader = new SheetReader(context);
  await readXml(parts.read(part), part, reader);
  await reader.links.resolve(parts, part);
  return reader;
}

/** The most places in rows that are held. */
const maxPlaces = 4_000_000;
const maxMerged = 1_000;
const blank: readonly string[] = [];

class SheetReader implements XmlReader, SheetCells {
  readonly rows: string[][] = [];
  readonly hiddenRows = new Set<number>();
  readonly hiddenColumns = new Set<number>();
  readonly merged: string[] = [];
  readonly links = new CellLinks();
  readonly #notes = new Map<number, CellNotes>();
  readonly #context: SheetContext;
  readonly #cursor = new CellCursor();
  #places = 0;
  #cell: Attributes | null = null;
  #value: string | null = null;
  #isFormula = false;
  #formula: string | null = null;
  #inValue = false;
  #hasInline = false;
  readonly #inline = new RichText();

  constructor(context: SheetContext) {
    this.#context = context;
  }

  notesAt(row: number, column: number): CellNotes | undefined {
    return this.#notes.get(row * sheetColumns + column);
  }

  linkAt(row: number, column: number): string | null {
    return this.links.at(row, column);
  }

  open(name: string, attributes: Attributes): void {
    switch (name) {
      case 'row':
        this.#openRow(attributes);
        break;
      case 'c':
        this.#openCell(attributes);
        break;
      case 'v':
        if (this.#cell) this.#value = '';
        this.#inValue = this.#cell !== null;
        break;
      case 'f':
        this.#isFormula = true;
        this.#formula = '';
        break;
      case 'is':
        this.#inline.begin();
        this.#hasInline = true;
        break;
      case 'col':
        this.#hideColumns(attributes);
        break;
      case 'hyperlink':
        this.links.addElement(attributes);
        break;
      case 'mergeCell':
        if (this.merged.length < maxMerged) this.merged.push(attributes.ref ?? '');
        break;
      default:
        if (this.#hasInline) this.#inline.open(name);
    }
  }

  close(name: string): void {
    if (name === 'c') this.#closeCell();
    else if (name === 'v') this.#inValue = false;
    else if (name === 'f') this.#closeFormula();
    else if (this.#hasInline) this.#inline.close(name);
  }

  text(text: string): void {
    if (this.#inValue) this.#value += text;
    else if (this.#formula !== null) this.#formula += text;
    else if (this.#hasInline) this.#inline.add(text);
  }

  #openRow(attributes: Attributes): void {
    this.#cursor.openRow(attributes);
    const { hidden, ht } = attributes;
    if (isOn(hidden) || (ht !== undefined && Number(ht) === 0)) this.hiddenRows.add(this.#cursor.row);
  }

  #openCell(attributes: Attributes): void {
    this.#cursor.openCell(attributes);
    this.#cell = attributes;
    this.#value = null;
    this.#isFormula = false;
    this.#inValue = false;
    this.#hasInline = false;
  }

  #closeFormula(): void {
    this.links.addFormula(this.#cursor, this.#formula ?? '');
    this.#formula = null;
  }

  #closeCell(): void {
    const cell = this.#cell;
    this.#cell = null;
    if (!cell) return;
    const { text, notes } = readCell(
      {
        type: cell.t ?? 'n',
        value: this.#value,
        inline: this.#hasInline ? this.#inline.end() : null,
        isFormula: this.#isFormula,
        format: this.#context.formats[Number(cell.s ?? 0)] ?? null,
      },
      this.#context,
    );
    this.#hasInline = false;
    if (text !== '' || notes !== null || this.#isRepeated()) this.#put(text, notes);
  }

  /** Whether the same address occurred before. */
  #isRepeated(): boolean {
    return this.rows[this.#cursor.row]?.[this.#cursor.column] !== undefined;
  }

  #put(text: string, notes: CellNotes | null): void {
    const { row, column } = this.#cursor;
    while (this.rows.length < row) this.rows.push(blank as string[]);
    if (this.rows[row] === undefined || this.rows[row] === blank) this.rows[row] = [];
    const cells = this.rows[row] ?? [];
    this.#places += Math.max(0, column + 1 - cells.length);
    if (this.#places > maxPlaces) throw tooFar(`more than ${maxPlaces} places`);
    while (cells.length < column) cells.push('');
    cells[column] = text;
    const key = row * sheetColumns + column;
    if (notes) this.#notes.set(key, notes);
    else this.#notes.delete(key);
  }

  #hideColumns({ min, max, hidden, width }: Attributes): void {
    if (!isOn(hidden) && !(width !== undefined && Number(width) === 0)) return;
    const last = Math.min(Number(max ?? min) || 0, sheetColumns);
    for (let column = Math.max(1, Number(min) || 1); column <= last; column += 1) this.hiddenColumns.add(column - 1);
  }
}

/** The letters of a range's first cell, its first row and its last, e.g. of `B2:B4`; null when it is not a range. */
export function rangeOf(text: string): { column: number; firstRow: number; lastRow: number } | null {
  const [first, last = first] = text.split(':').map((one) => cellAddress(one));
  return first && last ? { column: first.column, firstRow: first.row, lastRow: last.row } : null;
}
