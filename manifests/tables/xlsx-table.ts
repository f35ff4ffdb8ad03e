import { referenceIdForm } from '../../domain/interface-limits.js';
import { type Column, fieldNameOf } from '../../sheets/column.js';
import { type Finding, findingAt, type Trouble, wholeFile } from '../../sheets/findings/finding.js';
import { fileError } from '../../sheets/findings/manifest-error.js';
import type { ManifestSource } from '../../sheets/sheet-source.js';
import { anyDamageSign } from '../../sheets/text/encoding.js';
import { formatsOf } from '../../sheets/xlsx/number-formats.js';
import { readSheet, type SheetCells } from '../../sheets/xlsx/read-sheet.js';
import { openPackage } from '../../sheets/xlsx/workbook-package.js';
import { sharedTexts } from '../../sheets/xlsx/workbook-texts.js';
import { chooseSheet, readWorkbook } from '../../sheets/xlsx/workbook.js';
import type { HeaderNames } from '../header/header-map.js';
import { cellTrouble, isUnusable } from './cell-troubles.js';
import { type HiddenRows, hiddenColumnFindings, hiddenRowTrouble } from './hidden-rows.js';
import { mergedFindings, sheetFindings } from './sheet-findings.js';
import { sheetHeader } from './sheet-header.js';
import type { RawRow, Table } from './table.js';

/** A workbook is held whole. */
const maxBytes = 64 * 1024 * 1024;
const pageRows = 500;

export interface XlsxOptions {
  /** Name of the worksheet; by default the first. */
  readonly sheet?: string | undefined;
  /** What to do with hidden rows; by default each is an error. */
  readonly hiddenRows?: HiddenRows | undefined;
  readonly names: HeaderNames;
}

/** Opens a sheet of a workbook. Its cells are what a person sees in them. */
export async function openXlsx(source: ManifestSource, options: XlsxOptions): Promise<Table> {
  const parts = await openPackage(await wholeFileOf(source));
  const workbook = await readWorkbook(parts);
  const sheet = chooseSheet(workbook.sheets, options.sheet);
  const cells = await readSheet(parts, sheet.part, {
    formats: await formatsOf(parts, workbook.stylesPart),
    texts: await sharedTexts(parts, workbook.stringsPart),
    is1904: workbook.is1904,
  });
  const start = sheetHeader(cells.rows, sheet, options.names);
  const { columns, widest, narrowest, isResults } = start.header;
  const below: RowsBelow = { cells, from: start.row, columns, narrowest, hiddenRows: options.hiddenRows };
  return {
    format: 'xlsx',
    textEncoding: null,
    delimiter: null,
    columns,
    widest,
    narrowest,
    isResults,
    findings: [
      ...sheetFindings(workbook.sheets, sheet, options.sheet),
      ...start.findings,
      ...hiddenColumnFindings(cells, columns, start.row),
      ...mergedFindings(cells, start.row),
      ...(start.usable ? leftOut(below) : []),
    ],
    damageSigns: anyDamageSign,
    campaign: null,
    settings: {},
    ratios: null,
    matrix: [],
    fixes: [],
    rows: () => pagesOf(start.usable ? below : { ...below, from: cells.rows.length }),
  };
}

/** The bytes of a workbook. */
export async function wholeFileOf(source: ManifestSource): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of source.open() as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > maxBytes) throw fileError('too_large', `it has more than ${maxBytes} bytes; save the sheet as CSV`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

interface RowsBelow {
  readonly cells: SheetCells;
  /** Index of the first row below the header. */
  readonly from: number;
  readonly columns: readonly Column[];
  /** The fewest cells of a row, which otherwise ends at its last cell that is not blank. */
  readonly narrowest: number;
  readonly hiddenRows: HiddenRows | undefined;
}

function isHidden(index: number, { rows, hiddenRows }: SheetCells): boolean {
  return hiddenRows.has(index) && (rows[index] ?? []).some((cell) => cell.trim() !== '');
}

/** Reports each hidden row that is left out. */
function leftOut({ cells, from, hiddenRows }: RowsBelow): readonly Finding[] {
  if (hiddenRows !== 'leave') return [];
  const rows = [...cells.hiddenRows].filter((index) => index >= from && isHidden(index, cells));
  return rows.sort((a, b) => a - b).map((index) => findingAt(rowPlace(index), hiddenRowTrouble('leave')));
}

async function* pagesOf(below: RowsBelow): AsyncGenerator<readonly RawRow[], void, undefined> {
  const { cells, from, hiddenRows } = below;
  for (let start = from; start < cells.rows.length; start += pageRows) {
    const page: RawRow[] = [];
    for (let index = start; index < Math.min(start + pageRows, cells.rows.length); index += 1) {
      if (hiddenRows === 'leave' && isHidden(index, cells)) continue;
      page.push(rowOf(index, below));
    }
    yield page;
  }
}

function rowOf(index: number, { cells, columns, narrowest, hiddenRows }: RowsBelow): RawRow {
  const found = cells.rows[index] ?? [];
  const written = found.length < narrowest ? [...found, ...Array<string>(narrowest - found.length).fill('')] : found;
  const troubles: Finding[] = [];
  const unusable = new Set<number>();
  if (isHidden(index, cells)) troubles.push(findingAt(rowPlace(index), hiddenRowTrouble(hiddenRows)));
  for (const column of columns) {
    const notes = cells.notesAt(index, column.index);
    if (!notes) continue;
    const trouble: Trouble | null = cellTrouble(notes, written[column.index] ?? '', column);
    const place = { ...rowPlace(index), column: column.letter, field: fieldNameOf(column) };
    if (trouble) troubles.push(findingAt(place, trouble));
    if (isUnusable(notes)) unusable.add(column.index);
  }
  const linked = withLinks(written, index, { cells, columns });
  troubles.push(...linked.findings);
  return { row: index + 1, line: null, cells: withClock(linked.written, index, cells, columns), troubles, unusable };
}

/** A reference cell that shows a name and links to an address stands for that address. */
function withLinks(
  written: readonly string[],
  index: number,
  { cells, columns }: Pick<RowsBelow, 'cells' | 'columns'>,
): { readonly written: readonly string[]; readonly findings: readonly Finding[] } {
  let linked = written;
  const findings: Finding[] = [];
  for (const column of columns) {
    if (column.use.kind !== 'reference' || column.use.part !== 'source') continue;
    const shown = (written[column.index] ?? '').trim();
    const link = cells.linkAt(index, column.index);
    if (link === null || shown === '' || isAddressOrId(shown)) continue;
    linked = linked.with(column.index, link);
    const message = `it shows "${shown.slice(0, 40)}"; the address that it links to is used: ${link.slice(0, 200)}`;
    const place = { ...rowPlace(index), column: column.letter, field: fieldNameOf(column) };
    findings.push(findingAt(place, { severity: 'warning', code: 'link_target', message, before: shown }));
  }
  return { written: linked, findings };
}

function isAddressOrId(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) || referenceIdForm.test(text);
}

/** A ratio that became a time is recognised by the time itself, not by how its format shows it. */
function withClock(
  written: readonly string[],
  index: number,
  cells: SheetCells,
  columns: readonly Column[],
): readonly string[] {
  const ratio = columns.find(({ use }) => use.kind === 'field' && use.field === 'aspect_ratio');
  const clock = ratio && cells.notesAt(index, ratio.index)?.clock;
  return ratio && clock ? written.with(ratio.index, clock) : written;
}

function rowPlace(index: number) {
  return { ...wholeFile, row: index + 1 };
}
