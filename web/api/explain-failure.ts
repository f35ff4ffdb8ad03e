import { ApiProblem, type ProblemName, problems } from './problem.js';

interface KnownError {
  readonly name?: string;
  readonly message?: string;
  readonly code?: unknown;
  readonly findings?: readonly FindingFacts[];
}

interface FindingFacts {
  readonly severity: string;
  readonly code: string;
  readonly row: number | null;
  readonly line: number | null;
  readonly column: string | null;
  readonly field: string | null;
  readonly message: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Findings in one answer; more of them say nothing new. */
export const mostFindings = 1_000;

/** Any failure as a problem. What nobody foresaw keeps its words to itself. */
export function explainFailure(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  const { name, message = '', code, findings = [] } = error as KnownError;
  switch (name) {
    case 'LedgerError':
      return new ApiProblem(ledgerProblem(code), message);
    case 'ManifestError':
      return new ApiProblem('invalid-manifest', message, {
        findings: findings.slice(0, mostFindings).map(findingJson),
        findings_total: findings.length,
      });
    case 'ReferenceProblem':
      return new ApiProblem('invalid-manifest', `Cannot use the manifest: ${message}`);
    case 'LedgerAwayError':
    case 'CommitUncertainError':
      return new ApiProblem('unavailable', message);
    default:
      return new ApiProblem('internal', 'The request could not be answered; the log of the server has more');
  }
}

/** A finding as `check --json` has it. */
export function findingJson(finding: FindingFacts) {
  const { severity, code, row, line, column, field, message, before, after } = finding;
  return { severity, code, row, line, column, field, message, before, after };
}

/** The ledger's own words for what cannot be done, but for those that nobody outside can cause. */
function ledgerProblem(code: unknown): ProblemName {
  const name = String(code).replaceAll('_', '-');
  return name in problems ? (name as ProblemName) : 'internal';
}
