import { restoreFormula } from '../../domain/cells/formula-cell.js';
import { bareName } from '../../sheets/bare-name.js';
import { type Column, columnLetter, fieldNameOf, type PlainField, plainFields } from '../../sheets/column.js';
import { type Finding, findingAt, type Place } from '../../sheets/findings/finding.js';
import { headerTrouble, missingFields, understoodFields } from './header-findings.js';
import type { HeaderNames } from './header-map.js';
import { type HeaderUses, headerUses } from './header-uses.js';
import { resultsFrom } from './results-columns.js';

export interface Header {
  readonly columns: readonly Column[];
  readonly widest: number;
  readonly narrowest: number;
  readonly isResults: boolean;
  readonly findings: readonly Finding[];
}

export const emptyHeader: Header = { columns: [], widest: 0, narrowest: 0, isResults: false, findings: [] };

/** As many columns as a spreadsheet has. */
const maxColumns = 16_384;

/** Reads a header row. `row` and `line` say where it is. */
export function readHeader(
  written: readonly string[],
  { row, line }: Pick<Place, 'row' | 'line'>,
  names: HeaderNames,
): Header {
  const at = (column: Pick<Column, 'letter' | 'use' | 'header'> | null): Place => ({
    row,
    line,
    column: column?.letter ?? null,
    field: column === null ? null : fieldNameOf(column),
  });
  const widest = written.length;
  const from = resultsFrom(written);
  const isResults = from !== null;
  const headers = isResults ? written.map(restoreFormula) : written;
  const used = from ?? lastNamed(headers);
  const understood = headerUses(headers.slice(0, used), names);
  const columns = understood.uses.map((use, index): Column => {
    return { index, header: headers[index] ?? '', letter: columnLetter(index), use };
  });
  const narrowest = isResults ? lastNamed(headers) : used;
  const findings: Finding[] = [];
  if (widest > maxColumns) {
    const message = `it has ${widest} columns; at most ${maxColumns}`;
    findings.push(findingAt(at(null), { severity: 'error', code: 'too_many_columns', message }));
    return { columns: columns.slice(0, maxColumns), widest, narrowest, isResults, findings };
  }
  const firsts = new Map<string, Column>();
  const lacking = lackingFields(columns, understood);
  for (const column of columns) {
    const key = keyOf(column);
    const before = key === '' ? undefined : firsts.get(key);
    const trouble = headerTrouble(column, before, lacking);
    if (trouble) findings.push(findingAt(at(column), trouble));
    if (!before && key !== '') firsts.set(key, column);
  }
  for (const { column, trouble } of understoodFields(columns, understood))
    findings.push(findingAt(at(column), trouble));
  for (const { field, trouble } of missingFields(columns, understood, names)) {
    findings.push(findingAt({ ...at(null), field }, trouble));
  }
  return { columns, widest, narrowest, isResults, findings };
}

function lastNamed(headers: readonly string[]): number {
  let last = headers.length;
  while (last > 0 && bareName(headers[last - 1] ?? '') === '') last -= 1;
  return last;
}

/** What two columns must not have in common; empty for a column without a name. */
function keyOf(column: Column): string {
  if (column.use.kind !== 'own') return `the ${fieldNameOf(column)}`;
  const bare = bareName(column.header);
  return bare === '' ? '' : `own ${bare}`;
}

/** Fields that have no header, and for which no known header is possible. */
export function lackingFields(columns: readonly Column[], { unclear }: HeaderUses): ReadonlySet<PlainField> {
  const has = new Set(columns.map(({ use }) => (use.kind === 'field' ? use.field : null)));
  return new Set(plainFields.filter((field) => !has.has(field) && !unclear.has(field)));
}
