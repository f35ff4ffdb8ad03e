import { type Finding, findingAt, type Trouble } from '../../sheets/findings/finding.js';
import type { RawRow } from '../tables/table.js';
import type { RowLayout } from './row-layout.js';

export interface RowNotesOptions {
  /** Treats repairs as errors. */
  readonly strict: boolean;
  /** Whether one more error should show its place in the file. */
  readonly wantsExcerpt: () => boolean;
}

/** Collects the findings of one row while it is read. */
export class RowNotes {
  readonly #row: RawRow;
  readonly #layout: RowLayout;
  readonly #options: RowNotesOptions;
  /** The row's own list until there is more: hardly any row has findings. */
  #findings: readonly Finding[];
  #added: Finding[] | null = null;
  #known: Set<string> | null = null;
  #failed: boolean;

  constructor(row: RawRow, layout: RowLayout, options: RowNotesOptions) {
    this.#row = row;
    this.#layout = layout;
    this.#options = options;
    this.#findings = row.troubles;
    this.#failed = row.troubles.length > 0 && row.troubles.some(({ severity }) => severity === 'error');
  }

  get findings(): readonly Finding[] {
    return this.#findings;
  }

  /** Whether an error is among them, so that the row gives no brief. */
  get failed(): boolean {
    return this.#failed;
  }

  /** @param column index of the cell; null for the row as a whole */
  add(column: number | null, trouble: Trouble): void {
    const { strict, wantsExcerpt } = this.#options;
    const severity = strict && trouble.severity === 'repair' ? 'error' : trouble.severity;
    const finding = findingAt(this.#layout.placeOf(this.#row, column), { ...trouble, severity });
    // The movies of a multiplied row share most of their faults.
    const key = keyOf(finding);
    this.#known ??= new Set(this.#findings.map(keyOf));
    if (this.#known.has(key)) return;
    this.#known.add(key);
    const excerpt = severity === 'error' && column !== null && wantsExcerpt() ? this.#row.excerptOf?.(column) : null;
    this.#added ??= [...this.#findings];
    this.#added.push(excerpt ? { ...finding, excerpt } : finding);
    this.#findings = this.#added;
    this.#failed ||= severity === 'error';
  }
}

function keyOf({ code, column, field, message }: Finding): string {
  return `${code} ${column} ${field} ${message}`;
}
