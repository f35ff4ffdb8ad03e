import { columnLetter, fieldNameOf } from '../../sheets/column.js';
import { type CsvEnd, type CsvRecord, maxRecordBytes } from '../../sheets/csv/csv-records.js';
import { type CsvText, openCsvText } from '../../sheets/csv/csv-text.js';
import { looksDamaged, quoteTroubles } from '../../sheets/csv/quote-troubles.js';
import { type Finding, findingAt, type Trouble, wholeFile } from '../../sheets/findings/finding.js';
import type { ManifestSource } from '../../sheets/sheet-source.js';
import { encodingFindings } from '../../sheets/text/encoding-findings.js';
import { nothingKnown } from '../header/header-findings.js';
import type { HeaderNames } from '../header/header-map.js';
import { emptyHeader, type Header, readHeader } from '../header/read-header.js';
import { looksLikeRow } from '../rows/looks-like-row.js';
import { CsvRow, type CsvWriting } from './csv-row.js';
import type { RawRow, Table, TextOptions } from './table.js';

/** Opens a CSV manifest: finds its encoding, its delimiter and its header. */
export async function openCsv(source: ManifestSource, { asked, names }: TextOptions): Promise<Table> {
  const { encoding, delimiter, skippedBytes, records } = await openCsvText(source, { asked, known: names.knownIn });
  const start = await findHeader(records(), names);
  const findings = [...encodingFindings(encoding), ...start.findings];
  const { columns, widest, narrowest, isResults } = start.header;
  return {
    format: 'csv',
    textEncoding: encoding,
    delimiter,
    columns,
    widest,
    narrowest,
    isResults,
    findings,
    damageSigns: encoding.damageSigns,
    campaign: null,
    settings: {},
    ratios: null,
    matrix: [],
    fixes: [],
    rows: () => (start.usable ? rowsAfter(records(), start, { delimiter, skippedBytes }) : nothing()),
  };
}

interface Start {
  readonly header: Header;
  readonly findings: readonly Finding[];
  /** Place of the header among the records, from 0. */
  readonly index: number;
  /** Whether the rows below can be read. */
  readonly usable: boolean;
}

/** The header is the first row that is not blank. */
async function findHeader(pages: ReturnType<CsvText['records']>, names: HeaderNames): Promise<Start> {
  let index = 0;
  let header: { readonly record: CsvRecord; readonly index: number } | null = null;
  for await (const { records, ended } of pages) {
    for (const record of records) {
      if (header && index <= header.index + rowsBelowLookedAt && names.knownIn(record.cells) > 1) {
        return noHeader(header, `the header seems to be in row ${index + 1}; delete the rows above it`);
      }
      if (!header && !isBlank(record.cells)) {
        header = { record, index };
        if (names.knownIn(record.cells) > 0) return withHeader(header, names);
      }
      index += 1;
    }
    if (ended) return broken(ended, index + 1);
    if (header && index > header.index + rowsBelowLookedAt) break;
  }
  if (header) return noHeader(header, nothingKnown(header.record.cells));
  const trouble: Trouble = { severity: 'error', code: 'empty_file', message: 'it has no rows' };
  return { header: emptyHeader, findings: [findingAt(wholeFile, trouble)], index: 0, usable: false };
}

const rowsBelowLookedAt = 10;

function withHeader(
  { record, index }: { readonly record: CsvRecord; readonly index: number },
  names: HeaderNames,
): Start {
  const header = readHeader(record.cells, { row: index + 1, line: record.line }, names);
  const usable = !header.findings.some(({ code }) => code === 'too_many_columns');
  return { header, findings: header.findings, index, usable };
}

function noHeader({ record, index }: { readonly record: CsvRecord; readonly index: number }, why: string): Start {
  const place = { row: index + 1, line: record.line, column: null, field: null };
  const trouble: Trouble = { severity: 'error', code: 'no_header', message: `not a header row: ${why}` };
  return { header: emptyHeader, findings: [findingAt(place, trouble)], index, usable: false };
}

function broken(end: CsvEnd, row: number): Start {
  return { header: emptyHeader, findings: [endFinding(end, row, emptyHeader)], index: 0, usable: false };
}

async function* rowsAfter(
  pages: ReturnType<CsvText['records']>,
  { header, index: headerIndex }: Start,
  writing: CsvWriting,
): AsyncGenerator<readonly RawRow[], void, undefined> {
  let index = 0;
  for await (const { records, ended } of pages) {
    const rows: RawRow[] = [];
    for (const record of records) {
      index += 1;
      if (index <= headerIndex + 1) continue;
      if (index > maxRows) {
        yield [...rows, tooManyRows(index, record.line)];
        return;
      }
      const isDamaged = looksDamaged(record.cells);
      const troubles = isDamaged
        ? quoteTroubles({ record, row: index, columns: header.columns, delimiter: writing.delimiter, looksLikeRow })
        : none;
      rows.push(new CsvRow(record, index, troubles, writing));
    }
    if (ended)
      rows.push({ row: index + 1, line: ended.line, cells: null, troubles: [endFinding(ended, index + 1, header)] });
    if (rows.length > 0) yield rows;
  }
}

const none: readonly Finding[] = [];

/** As many as a spreadsheet has, and five times as many as a batch takes. */
const maxRows = 1_048_576;

function tooManyRows(row: number, line: number): RawRow {
  const message = `it has more than ${maxRows} rows; nothing below is read; split the file`;
  const place = { row, line, column: null, field: null };
  return {
    row,
    line,
    cells: null,
    troubles: [findingAt(place, { severity: 'error', code: 'too_many_rows', message })],
  };
}

function endFinding({ reason, line, cell, excerpt }: CsvEnd, row: number, { columns }: Header): Finding {
  const column = cell === null ? undefined : columns[cell];
  const field = column ? fieldNameOf(column) : null;
  const place = { row, line, column: cell === null ? null : columnLetter(cell), field };
  if (reason === 'open_quote') {
    const message = 'a quote opens this cell and nothing closes it; nothing below is read';
    return findingAt(place, { severity: 'error', code: 'open_quote', message, excerpt });
  }
  const message = `the row is longer than ${maxRecordBytes} bytes; nothing below is read`;
  return findingAt(place, { severity: 'error', code: 'row_too_long', message, excerpt });
}

function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}

async function* nothing(): AsyncGenerator<readonly RawRow[], void, undefined> {}
