import { type Finding, findingAt, type Trouble, wholeFile } from '../../sheets/findings/finding.js';
import { fileError } from '../../sheets/findings/manifest-error.js';
import type { Sheet } from '../../sheets/xlsx/workbook.js';
import { nothingKnown } from '../header/header-findings.js';
import type { HeaderNames } from '../header/header-map.js';
import { emptyHeader, type Header, readHeader } from '../header/read-header.js';

export interface SheetStart {
  readonly header: Header;
  /** Row of the header, from 1; the movies begin below it. */
  readonly row: number;
  readonly usable: boolean;
  readonly findings: readonly Finding[];
}

/** The header is the first row that is not blank. */
export function sheetHeader(cells: readonly (readonly string[])[], { name }: Sheet, names: HeaderNames): SheetStart {
  const row = cells.findIndex((one) => one.some((cell) => cell.trim() !== '')) + 1;
  if (row === 0) throw fileError('empty_file', `the sheet "${name}" is empty`);
  const written = cells[row - 1] ?? [];
  const last = written.findLastIndex((cell) => cell.trim() !== '');
  const header = readHeader(written.slice(0, last + 1), { row, line: null }, names);
  if (names.knownIn(written) > 0) return { header, row, usable: true, findings: header.findings };
  const below = cells.slice(row, row + rowsBelowLookedAt).findIndex((one) => names.knownIn(one) > 1);
  const why =
    below === -1 ? nothingKnown(written) : `the header seems to be in row ${row + below + 1}; delete the rows above it`;
  const finding = findingAt({ ...wholeFile, row }, error('no_header', `not a header row: ${why}`));
  return { header: emptyHeader, row, usable: false, findings: [finding] };
}

const rowsBelowLookedAt = 10;

function error(code: string, message: string): Trouble {
  return { severity: 'error', code, message };
}
