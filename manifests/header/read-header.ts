import { restoreFormula } from '../../domain/formula-cell.js';
import { bareName } from '../../sheets/bare-name.js';
import { type Column, columnLetter, fieldNameOf, type PlainField, plainFields } from '../../sheets/column.js';
import { type Finding, findingAt, type Place, type Trouble } from '../../sheets/findings/finding.js';
import { isReferencePastLimit, nearName, useOfHeader } from './header-names.js';

export interface Header {
  readonly columns: readonly Column[];
  readonly widest: number;
  readonly narrowest: number;
  readonly isResults: boolean;
  readonly findings: readonly Finding[];
}

export const emptyHeader: Header = { columns: [], widest: 0, narrowest: 0, isResults: false, findings: [] };

/** What a results file adds behind the team's own columns (reports/results-csv.ts). */
const resultNames: ReadonlySet<string> = new Set(
  ['state', 'movie_id', 'asset_files', 'sha256', 'estimated', 'posted', 'verdict', 'reason'].map(bareName),
);

/** As many columns as a spreadsheet has. */
const mostColumns = 16_384;

/** Understands a header row. `row` and `line` say where it is. */
export function readHeader(written: readonly string[], { row, line }: Pick<Place, 'row' | 'line'>): Header {
  const at = (column: Pick<Column, 'letter' | 'use' | 'header'> | null): Place => ({
    row,
    line,
    column: column?.letter ?? null,
    field: column === null ? null : fieldNameOf(column),
  });
  const widest = written.length;
  const resultsFrom = firstResult(written);
  const isResults = resultsFrom < written.length;
  const headers = isResults ? written.map(restoreFormula) : written;
  const used = isResults ? resultsFrom : lastNamed(headers);
  const columns = headers.slice(0, used).map((header, index): Column => {
    return { index, header, letter: columnLetter(index), use: useOfHeader(header) ?? { kind: 'own' } };
  });
  const narrowest = isResults ? lastNamed(headers) : used;
  const findings: Finding[] = [];
  if (widest > mostColumns) {
    findings.push(findingAt(at(null), error('too_many_columns', `it has ${widest} columns; at most ${mostColumns}`)));
    return { columns: columns.slice(0, mostColumns), widest, narrowest, isResults, findings };
  }
  const firsts = new Map<string, Column>();
  const lacking = lackingFields(columns);
  for (const column of columns) {
    const key = keyOf(column);
    const before = firsts.get(key);
    const trouble = before ? twice(before, column) : ownTrouble(column, lacking);
    if (trouble) findings.push(findingAt(at(column), trouble));
    if (!before && key !== '') firsts.set(key, column);
  }
  for (const field of ['id', 'prompt'] as const) {
    if (columns.some(({ use }) => use.kind === 'field' && use.field === field)) continue;
    findings.push(findingAt({ ...at(null), field }, error('missing_column', `there is no column ${field}`)));
  }
  return { columns, widest, narrowest, isResults, findings };
}

/** The trailing columns of a results file: all of them ours, and among them the one that no team has. */
function firstResult(headers: readonly string[]): number {
  let first = lastNamed(headers);
  const end = first;
  while (first > 0 && resultNames.has(bareName(headers[first - 1] ?? ''))) first -= 1;
  const isOurs = headers.slice(first, end).some((header) => bareName(header) === 'movieid');
  return isOurs ? Math.max(first, end - resultNames.size) : headers.length;
}

function lastNamed(headers: readonly string[]): number {
  let last = headers.length;
  while (last > 0 && bareName(headers[last - 1] ?? '') === '') last -= 1;
  return last;
}

/** What two columns may not have in common; empty for one without a name. */
function keyOf(column: Column): string {
  if (column.use.kind !== 'own') return `the ${fieldNameOf(column)}`;
  const bare = bareName(column.header);
  return bare === '' ? '' : `own ${bare}`;
}

function twice(before: Column, column: Column): Trouble {
  const both = `"${before.header.trim()}" (column ${before.letter}) and "${column.header.trim()}"`;
  if (column.use.kind === 'own') return error('duplicate_header', `${both} have the same name; rename one`);
  return error('duplicate_field', `${both} are both ${fieldNameOf(column)}; rename one`);
}

function ownTrouble({ header, use }: Column, lacking: ReadonlySet<PlainField>): Trouble | null {
  if (use.kind !== 'own') return null;
  if (isReferencePastLimit(header)) {
    return error('too_many_references', `"${header}" is past the limit: a movie takes reference_1 to reference_20`);
  }
  const near = nearName(header, lacking);
  if (near === null) return null;
  const message = `"${header}" is kept as a column of your own and not sent; did you mean ${near}?`;
  return { severity: 'warning', code: 'near_header', message };
}

function lackingFields(columns: readonly Column[]): ReadonlySet<PlainField> {
  const has = new Set(columns.map(({ use }) => (use.kind === 'field' ? use.field : null)));
  return new Set(plainFields.filter((field) => !has.has(field)));
}

function error(code: string, message: string): Trouble {
  return { severity: 'error', code, message };
}
