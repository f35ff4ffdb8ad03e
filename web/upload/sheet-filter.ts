import type { CheckedUpload } from '../../operations/upload/manifest-uploads.js';

export type Check = CheckedUpload['check'];
export type FoundFinding = Check['findings'][number];

/** Which rows of a sheet a page shows, as its address says. */
export interface SheetFilter {
  readonly show: 'findings' | 'all';
  readonly skip: number;
}

export function readSheetFilter(query: Readonly<Record<string, string>>, { findings }: Check): SheetFilter {
  const hasMarks = findings.some(({ row }) => row !== null);
  const { show = hasMarks ? 'findings' : 'all', skip = '' } = query;
  return { show: show === 'all' ? 'all' : 'findings', skip: /^\d{1,7}$/.test(skip) ? Number(skip) : 0 };
}

const weights = { error: 0, warning: 1, repair: 2 } as const;

/** Numbers of the rows with findings: those with errors first, then as in the sheet. */
export function rowsWithFindings(findings: readonly FoundFinding[]): readonly number[] {
  const worst = new Map<number, number>();
  for (const { row, severity } of findings) {
    if (row !== null) worst.set(row, Math.min(worst.get(row) ?? 2, weights[severity]));
  }
  const rows = [...worst].sort(([one, a], [other, b]) => a - b || one - other);
  return rows.map(([row]) => row);
}
