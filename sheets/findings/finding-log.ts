import type { Finding, Severity } from './finding.js';

/** Findings of one kind beyond what a log keeps: counted, not kept. */
export interface OmittedFindings {
  readonly severity: Severity;
  readonly code: string;
  readonly column: string | null;
  readonly field: string | null;
  readonly count: number;
}

export interface FindingLog {
  readonly counts: Readonly<Record<Severity, number>>;
  readonly findings: readonly Finding[];
  readonly omitted: readonly OmittedFindings[];
  add(finding: Finding): void;
}

/**
 * How many findings of each severity are kept; further ones are counted by kind and column. Errors have their own
 * share, so that no number of repairs hides one. Three full shares take some 100 MB, whatever the size of the file.
 */
const maxKeptEach = 100_000;

export function createFindingLog(keep = maxKeptEach): FindingLog {
  const counts = { error: 0, warning: 0, repair: 0 };
  const findings: Finding[] = [];
  const omitted = new Map<string, OmittedFindings>();
  return {
    counts,
    findings,
    get omitted() {
      return [...omitted.values()];
    },
    add(finding) {
      counts[finding.severity] += 1;
      if (counts[finding.severity] <= keep) {
        findings.push(finding);
        return;
      }
      const { severity, code, column, field } = finding;
      const kind = `${severity} ${code} ${column} ${field}`;
      omitted.set(kind, { severity, code, column, field, count: (omitted.get(kind)?.count ?? 0) + 1 });
    },
  };
}
