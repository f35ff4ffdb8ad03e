import { ConnectionError, ContractError, MovieApiError } from '../api/errors.js';
import type { PricedRow } from './price-rows.js';

/**
 * The service does not price anything: no row is to blame. `cause` says why (`MovieApiError` with 401, 402, 403 or
 * 429, `ConnectionError`, or a 5xx that did not pass).
 */
export class PricingInterrupted extends Error {
  override readonly name = 'PricingInterrupted';
  /** Rows that were answered before; they need no retry. */
  readonly priced: readonly PricedRow[];
  /** How long the service asks to wait; null when it does not say. */
  readonly retryAfterMs: number | null;

  constructor(cause: unknown, priced: readonly PricedRow[]) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.priced = priced;
    this.retryAfterMs = cause instanceof MovieApiError ? cause.retryAfterMs : null;
  }
}

/** Not the service's fault, and not fixed by a retry: a file is gone, or has changed. */
export class ReferenceProblem extends Error {
  override readonly name = 'ReferenceProblem';
}

export type Trouble =
  | { readonly kind: 'service' }
  /** May be gone at the next attempt. */
  | { readonly kind: 'passing'; readonly problem: string }
  | { readonly kind: 'row'; readonly problem: string };

/** Classifies an error of an upload or an estimate: the service's, this row's, or passing. */
export function troubleOf(error: unknown): Trouble {
  // A RangeError is about an argument that the interface cannot carry: this row's.
  if (error instanceof ReferenceProblem || error instanceof ContractError || error instanceof RangeError) {
    return { kind: 'row', problem: error.message };
  }
  if (error instanceof ConnectionError) {
    return error.sent === 'nothing' ? { kind: 'service' } : { kind: 'passing', problem: error.message };
  }
  if (error instanceof MovieApiError) return { kind: troubleOfStatus(error.status), problem: error.message };
  throw error;
}

function troubleOfStatus(status: number): Trouble['kind'] {
  if ([401, 402, 403, 429].includes(status)) return 'service';
  return status >= 500 || status === 408 ? 'passing' : 'row';
}
