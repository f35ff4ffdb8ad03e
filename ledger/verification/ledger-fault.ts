/** Something in the books that contradicts something else in them, or a proof that is kept outside. */
export interface BookFault {
  /** In snake case, for programs. */
  readonly kind: string;
  /** What it is about, for people: `spring-1`, `budget acme`, `person ana`. */
  readonly of: string;
  /** Null for what is not about a batch. */
  readonly batchId: string | null;
  readonly rowKey: string | null;
  /** What is there and what should be. */
  readonly detail: string;
}

/** Of a batch, or of one of its rows. */
export function batchFault(kind: string, batchId: string, detail: string, rowKey: string | null = null): BookFault {
  return { kind, of: batchId, batchId, rowKey, detail };
}

/** Of something else: `budget acme`. */
export function otherFault(kind: string, of: string, detail: string): BookFault {
  return { kind, of, batchId: null, rowKey: null, detail };
}

/** A pair of what is stored and what its record says. */
export type Stored = readonly [name: string, stored: unknown, recorded: unknown];

/** What each pair that differs says, for people. */
export function differences(pairs: readonly Stored[]): readonly string[] {
  return pairs.flatMap(([name, stored, recorded]) =>
    stored === recorded ? [] : [`${name} is ${words(stored)}, its record says ${words(recorded)}`],
  );
}

function words(value: unknown): string {
  return value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);
}
