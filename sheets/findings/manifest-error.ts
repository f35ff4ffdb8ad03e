import { type Finding, findingAt, type Trouble, wholeFile } from './finding.js';

export interface ManifestErrorOptions extends ErrorOptions {
  /** The file's name as the person wrote it. */
  readonly file?: string;
}

/** A manifest that cannot be used. Its message names the first finding; `findings` has all that were kept. */
export class ManifestError extends Error {
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[], { file = 'the manifest', ...options }: ManifestErrorOptions = {}) {
    super(findingsText(file, findings), options);
    this.name = 'ManifestError';
    this.findings = findings;
  }
}

/** An error about the file as a whole. */
export function fileError(code: string, message: string, options?: ErrorOptions): ManifestError {
  const trouble: Trouble = { severity: 'error', code, message };
  return new ManifestError([findingAt(wholeFile, trouble)], options);
}

/** Adds the file's name to a ManifestError; returns any other error unchanged. */
export function naming(file: string, error: unknown): unknown {
  return error instanceof ManifestError ? new ManifestError(error.findings, { file, cause: error.cause }) : error;
}

/** Says in one line why a file cannot be used, with its first error. */
export function findingsText(what: string, findings: readonly Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const first = errors[0] ?? findings[0];
  if (!first) return `Cannot use ${what}: it has errors`;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return `Cannot use ${what}: ${placeText(first)}${first.message}${more}`;
}

function placeText({ row, line, column, field }: Finding): string {
  const parts = [
    row === null ? '' : `row ${row}`,
    line === null ? '' : row === null ? `line ${line}` : `(line ${line})`,
    [column, field].filter((part) => part !== null).join(' '),
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : `${parts.join(' ')}: `;
}
