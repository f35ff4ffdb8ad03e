import { type Finding, findingAt, type Trouble } from './finding.js';
import type { RowLayout } from './row-layout.js';
import type { RawRow } from './table.js';

/** What is found in one row while it is being understood. */
export interface RowNotes {
  readonly findings: readonly Finding[];
  /** Whether an error is among them, so that the row gives no brief. */
  readonly failed: boolean;
  /** `column` is the index of the cell; null for the row as a whole. */
  add(column: number | null, trouble: Trouble): void;
}

export interface RowNotesOptions {
  /** Repairs are errors. */
  readonly strict: boolean;
  /** Whether a person will look at one more error's place in the file. */
  readonly wantsExcerpt: () => boolean;
}

export function createRowNotes(row: RawRow, layout: RowLayout, { strict, wantsExcerpt }: RowNotesOptions): RowNotes {
  const findings: Finding[] = [...row.troubles];
  let failed = findings.some(({ severity }) => severity === 'error');
  return {
    findings,
    get failed() {
      return failed;
    },
    add(column, trouble) {
      const severity = strict && trouble.severity === 'repair' ? 'error' : trouble.severity;
      const finding = findingAt(layout.placeOf(row, column), { ...trouble, severity });
      // The movies that one row multiplies to share most of their faults.
      if (findings.some((known) => sameFinding(known, finding))) return;
      const excerpt = severity === 'error' && column !== null && wantsExcerpt() ? row.excerptOf?.(column) : null;
      findings.push(excerpt ? { ...finding, excerpt } : finding);
      failed ||= severity === 'error';
    },
  };
}

function sameFinding(a: Finding, b: Finding): boolean {
  return a.code === b.code && a.column === b.column && a.field === b.field && a.message === b.message;
}
