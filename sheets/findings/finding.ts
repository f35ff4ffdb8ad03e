export type Severity = 'error' | 'warning' | 'repair';

/** Where a person finds it. Each part is null if it does not apply. */
export interface Place {
  /** As a spreadsheet counts: the header is row 1. In YAML the movie's place in its list, from 1. */
  readonly row: number | null;
  /** Line of the file, from 1, in which the row (or the YAML value) begins. */
  readonly line: number | null;
  /** Letter of the column, as a spreadsheet shows it. */
  readonly column: string | null;
  /** The field's own name, or the header of a custom column; in YAML the path in the movie. */
  readonly field: string | null;
}

/** One thing that a person should know about a manifest. `error` keeps it from being used. */
export interface Finding extends Place {
  readonly severity: Severity;
  /** Stable, for scripts: `ratio_repaired`. */
  readonly code: string;
  readonly message: string;
  /** The cell as written, if the finding is about one; cut when long. */
  readonly before: string | null;
  /** What it was read as, for a repair. */
  readonly after: string | null;
  /** The place in the file; only the first errors of a file have it. */
  readonly excerpt?: Excerpt;
}

/** A line of the file and the part of it that a finding is about, in UTF-16 units. */
export interface Excerpt {
  readonly line: number;
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

export interface Trouble {
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  readonly before?: string;
  readonly after?: string;
  readonly excerpt?: Excerpt | null;
}

export const wholeFile: Place = { row: null, line: null, column: null, field: null };

/** How much of a cell a finding quotes. */
const quotedCharacters = 120;

export function findingAt({ row, line, column, field }: Place, trouble: Trouble): Finding {
  const { severity, code, message, before, after, excerpt } = trouble;
  const finding = { severity, code, row, line, column, field, message, before: quoted(before), after: quoted(after) };
  return excerpt ? { ...finding, excerpt } : finding;
}

function quoted(text: string | undefined): string | null {
  if (text === undefined) return null;
  return text.length > quotedCharacters ? `${text.slice(0, quotedCharacters - 1)}…` : text;
}
