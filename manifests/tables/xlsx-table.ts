import { type Column, fieldNameOf } from '../../sheets/column.js';
import { type Finding, findingAt, type Trouble, wholeFile } from '../../sheets/findings/finding.js';
import { fileError } from '../../sheets/findings/manifest-error.js';
import type { ManifestSource } from '../../sheets/sheet-source.js';
import { anySuspect } from '../../sheets/text/encoding.js';
import { type CellNotes, readSheetNotes, type SheetNotes } from '../../sheets/xlsx/cell-notes.js';
import { formatsOf } from '../../sheets/xlsx/number-format.js';
import { sheetCells } from '../../sheets/xlsx/sheet-values.js';
import { chooseSheet, type Sheet, sheetsOf, smallPart } from '../../sheets/xlsx/workbook.js';
import { unpackXml } from '../../sheets/xlsx/zip-entries.js';
import { sheetHeader } from './sheet-header.js';
import type { RawRow, Table } from './table.js';

/** A workbook is held whole. */
const mostBytes = 64 * 1024 * 1024;
const pageRows = 500;

/** Opens a sheet of a workbook. Its cells are what a person sees in them. */
export async function openXlsx(source: ManifestSource, sheetName: string | undefined): Promise<Table> {
  const parts = unpackXml(await wholeFileOf(source));
  const sheets = sheetsOf(parts);
  const sheet = chooseSheet(sheets, sheetName);
  const formats = formatsOf(smallPart(parts, 'xl/styles.xml'));
  const notes = readSheetNotes(parts.get(sheet.part)?.toString('utf8') ?? '', formats);
  const cells = await sheetCells(parts, sheet, notes);
  const start = sheetHeader(cells, sheet);
  const { columns, widest, narrowest, isResults } = start.header;
  return {
    format: 'xlsx',
    textEncoding: null,
    delimiter: null,
    columns,
    widest,
    narrowest,
    isResults,
    findings: [...otherSheets(sheets, sheet, sheetName), ...start.findings, ...mergedFindings(notes, start.row)],
    suspects: anySuspect,
    campaign: null,
    settings: {},
    ratios: null,
    matrix: [],
    fixes: [],
    rows: () => pagesOf(start.usable ? cells : [], { from: start.row, notes, columns }),
  };
}

async function wholeFileOf(source: ManifestSource): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of source.open() as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > mostBytes) throw fileError('too_large', `it has more than ${mostBytes} bytes; save the sheet as CSV`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** What is not read is said. */
function otherSheets(sheets: readonly Sheet[], { name }: Sheet, asked: string | undefined): readonly Finding[] {
  const others = sheets.filter((sheet) => sheet.isVisible && sheet.name !== name).map((sheet) => `"${sheet.name}"`);
  if (others.length === 0 || asked !== undefined) return [];
  const message = `it reads the sheet "${name}" and not ${others.slice(0, 5).join(', ')}; --sheet names another`;
  return [findingAt(wholeFile, { severity: 'warning', code: 'other_sheets', message })];
}

function mergedFindings({ merged }: SheetNotes, headerRow: number): readonly Finding[] {
  return merged.flatMap((range) => {
    const [, column = '', firstRow, lastRow] = /^([A-Z]+)(\d+):[A-Z]+(\d+)$/.exec(range) ?? [];
    if (Number(lastRow) <= headerRow || firstRow === undefined) return [];
    const message = `${range} are shown as one cell; only ${column}${firstRow} has the value`;
    return [
      findingAt(
        { ...wholeFile, row: Number(firstRow), column },
        { severity: 'warning', code: 'merged_cells', message },
      ),
    ];
  });
}

interface RowsBelow {
  readonly from: number;
  readonly notes: SheetNotes;
  readonly columns: readonly Column[];
}

async function* pagesOf(
  cells: readonly (readonly string[])[],
  { from, notes, columns }: RowsBelow,
): AsyncGenerator<readonly RawRow[], void, undefined> {
  for (let start = from; start < cells.length; start += pageRows) {
    yield cells.slice(start, start + pageRows).map((row, offset): RawRow => {
      const index = start + offset;
      return { row: index + 1, line: null, cells: row, troubles: cellTroubles(row, index, notes, columns) };
    });
  }
}

function cellTroubles(
  cells: readonly string[],
  index: number,
  notes: SheetNotes,
  columns: readonly Column[],
): readonly Finding[] {
  const findings: Finding[] = [];
  for (const column of columns) {
    const note = notes.at(index, column.index);
    const trouble = note && troubleOf(note, cells[column.index] ?? '');
    if (!trouble) continue;
    findings.push(
      findingAt({ ...wholeFile, row: index + 1, column: column.letter, field: fieldNameOf(column) }, trouble),
    );
  }
  return findings;
}

function troubleOf({ isFormula, lacksValue, error: failed }: CellNotes, cell: string): Trouble | null {
  if (failed !== null) return { ...error('error_cell', `its formula gives ${failed}; correct it`), before: failed };
  if (lacksValue)
    return error('formula_empty', 'its formula has no value yet; open it in a spreadsheet and save it again');
  if (!isFormula || cell === '') return null;
  const message = 'it is a formula; the value that it had when the file was saved is used';
  return { severity: 'warning', code: 'formula', message, before: cell };
}

function error(code: string, message: string): Trouble {
  return { severity: 'error', code, message };
}
