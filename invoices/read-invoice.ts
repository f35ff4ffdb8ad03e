import { restoreFormula } from '../domain/cells/formula-cell.js';
import type { InvoiceLine } from '../ledger/money/invoice-match.js';
import { columnLetter } from '../sheets/column.js';
import type { CsvEnd, CsvRecord } from '../sheets/csv/csv-records.js';
import { type CsvText, openCsvText } from '../sheets/csv/csv-text.js';
import { looksDamaged, quoteTroubles } from '../sheets/csv/quote-troubles.js';
import { createFindingLog, type FindingLog, type OmittedFindings } from '../sheets/findings/finding-log.js';
import { type Finding, findingAt, type Place, type Trouble, wholeFile } from '../sheets/findings/finding.js';
import { fileError, findingsText, ManifestError } from '../sheets/findings/manifest-error.js';
import type { ManifestSource } from '../sheets/sheet-source.js';
import { formOf } from '../sheets/sniff-form.js';
import { encodingFindings } from '../sheets/text/encoding-findings.js';
import { readInvoiceAmount } from './invoice-amount.js';
import { type InvoiceColumns, invoiceNamesIn, isInvoiceHeader, nameInvoiceColumns } from './invoice-columns.js';

/** An invoice that cannot be used. Its message names the first finding; `findings` has all that were kept. */
export class InvoiceError extends Error {
  override readonly name = 'InvoiceError';
  readonly findings: readonly Finding[];
  readonly omitted: readonly OmittedFindings[];
  /** Its header, if one was found. */
  readonly columns: readonly string[];

  constructor({ findings, omitted, columns }: Pick<InvoiceError, 'findings' | 'omitted' | 'columns'>, cause?: unknown) {
    super(findingsText('the invoice', findings), cause === undefined ? {} : { cause });
    this.findings = findings;
    this.omitted = omitted;
    this.columns = columns;
  }
}

export interface InvoiceFile {
  readonly lines: readonly InvoiceLine[];
  readonly columns: readonly string[];
  /** Warnings. */
  readonly findings: readonly Finding[];
}

/**
 * Reads a provider's invoice: a CSV file in whatever encoding and with whatever delimiter, whose header names movie_id
 * or idempotency_key (or both), amount, currency and description. Rows above the header and columns of other names are
 * skipped.
 *
 * @throws InvoiceError with every finding, by row, line and column.
 */
export async function readInvoice(source: ManifestSource, encoding?: string): Promise<InvoiceFile> {
  const log = createFindingLog();
  try {
    if ((await formOf(source, invoiceNamesIn)) === 'xlsx')
      throw fileError('not_csv', 'it is a workbook; save the sheet as CSV');
    const text = await openCsvText(source, { asked: encoding, known: invoiceNamesIn });
    for (const finding of encodingFindings(text.encoding)) log.add(finding);
    const { lines, columns } = await readLines(text, log);
    if (log.counts.error > 0) throw new InvoiceError({ findings: log.findings, omitted: log.omitted, columns });
    return { lines, columns, findings: log.findings };
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    throw new InvoiceError({ findings: error.findings.map(ofInvoice), omitted: [], columns: [] }, error);
  }
}

/** Rewrites a message about manifests for an invoice. */
function ofInvoice(finding: Finding): Finding {
  return { ...finding, message: finding.message.replace(/a manifest is .*$/, 'an invoice is a CSV file') };
}

/** Rows that may come before the header: the provider's address, a number, a date. */
const rowsChecked = 30;

interface Header {
  readonly cells: readonly string[];
  readonly columns: InvoiceColumns;
  readonly row: number;
}

async function readLines(
  text: CsvText,
  log: FindingLog,
): Promise<{ readonly lines: readonly InvoiceLine[]; readonly columns: readonly string[] }> {
  const header = await findHeader(text, log);
  const lines: InvoiceLine[] = [];
  let row = 0;
  for await (const { records, ended } of header ? text.records() : []) {
    for (const record of records) {
      row += 1;
      if (!header || row <= header.row || isBlank(record.cells)) continue;
      const line = readLine(record, { row, header, delimiter: text.delimiter, log });
      if (line) lines.push(line);
    }
    if (ended) log.add(endFinding(ended, row + 1));
  }
  if (header && lines.length === 0 && log.counts.error === 0) log.add(wholeFinding('no_rows', 'it has no lines'));
  return { lines, columns: header?.cells ?? [] };
}

/** The first row that names what an invoice needs; without one, the finding is about the row that comes closest. */
async function findHeader(text: CsvText, log: FindingLog): Promise<Header | null> {
  let row = 0;
  let best: { readonly record: CsvRecord; readonly row: number; readonly known: number } | null = null;
  for await (const { records, ended } of text.records()) {
    for (const record of records) {
      row += 1;
      const known = isInvoiceHeader(record.cells) ? Number.POSITIVE_INFINITY : invoiceNamesIn(record.cells);
      if (known > (best?.known ?? 0)) best = { record, row, known };
    }
    if (ended && !best) log.add(endFinding(ended, row + 1));
    if (ended || row >= rowsChecked || best?.known === Number.POSITIVE_INFINITY) break;
  }
  if (!best) {
    const needs = 'it needs movie_id or idempotency_key, amount and currency';
    log.add(wholeFinding('no_header', `no row names the columns; ${needs}`));
    return null;
  }
  const { cells, line } = best.record;
  const { columns, troubles } = nameInvoiceColumns(cells);
  for (const { at, trouble } of troubles) log.add(findingAt({ row: best.row, line, ...at }, trouble));
  return troubles.length > 0 ? null : { cells, columns, row: best.row };
}

interface LineContext {
  readonly row: number;
  readonly header: Header;
  readonly delimiter: string;
  readonly log: FindingLog;
}

function readLine(record: CsvRecord, { row, header, delimiter, log }: LineContext): InvoiceLine | null {
  const { cells, line } = record;
  const { columns } = header;
  const errorsBefore = log.counts.error;
  if (looksDamaged(cells)) {
    const own = header.cells.map((name, index) => ({
      ...{ index, header: name, letter: columnLetter(index), use: { kind: 'own' } as const },
    }));
    for (const finding of quoteTroubles({ record, row, columns: own, delimiter, looksLikeRow: () => false }))
      log.add(finding);
  }
  const at = (index: number | null): Place => ({
    ...{ row, line },
    column: index === null ? null : columnLetter(index),
    field: index === null ? null : (header.cells[index] ?? null),
  });
  const extra = cells.findIndex((cell, index) => index >= header.cells.length && cell.trim() !== '');
  if (extra >= 0) log.add(findingAt(at(extra), error('ragged_row', 'the row is longer than the header', cells[extra])));
  const cell = (index: number | undefined) => restoreFormula(index === undefined ? '' : (cells[index] ?? '')).trim();
  const [movieId, idempotencyKey] = [cell(columns.movie_id), cell(columns.idempotency_key)];
  if (movieId === '' && idempotencyKey === '') {
    const column = columns.movie_id ?? columns.idempotency_key ?? null;
    const message = 'the row names no movie; delete it if it is a total or a fee';
    log.add(findingAt(at(column), error('no_movie', message)));
  }
  const amount = readInvoiceAmount(cell(columns.amount), cell(columns.currency));
  if ('wrong' in amount) {
    log.add(findingAt(at(columns.amount ?? null), error('amount', amount.wrong, cells[columns.amount ?? 0])));
    return null;
  }
  if (log.counts.error > errorsBefore) return null;
  return {
    ...{ movieId: movieId || null, idempotencyKey: idempotencyKey || null, ...amount },
    ...{ description: cell(columns.description) || null, invoice: cell(columns.invoice) || null, row },
  };
}

function endFinding({ reason, line, cell, excerpt }: CsvEnd, row: number): Finding {
  const place = { row, line, column: cell === null ? null : columnLetter(cell), field: null };
  const message =
    reason === 'open_quote' ? 'a quote opens this cell and nothing closes it' : 'the row is longer than can be read';
  return findingAt(place, { ...error(reason, `${message}; nothing below is read`), excerpt });
}

function wholeFinding(code: string, message: string): Finding {
  return findingAt(wholeFile, error(code, message));
}

function error(code: string, message: string, before?: string): Trouble {
  return { severity: 'error', code, message, ...(before !== undefined && { before }) };
}

function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}
