/** Why something was refused, in terms of HTTP. */
export interface Refusal {
  /** `wrong`: the request; `forbidden`: the person; `missing`: the thing; `conflict`: its state; `away`: a part. */
  readonly kind: 'wrong' | 'forbidden' | 'missing' | 'conflict' | 'away';
  /** The ledger's own code, e.g. `stale_plan`, or the name of the error. */
  readonly code: string;
  /** The message to show. */
  readonly message: string;
}

/**
 * Says what an error of an operation means to the person who caused it; null for a fault of ours. Errors are recognised
 * by name and code, so that nothing has to be loaded for it.
 */
export function refusalOf(error: unknown): Refusal | null {
  if (!(error instanceof Error)) return null;
  const { name, message } = error;
  const { code = '' } = error as { readonly code?: string };
  if (name === 'LedgerError') return { kind: ledgerKind(code), code, message };
  if (wrongNames.includes(name)) return { kind: 'wrong', code: name, message };
  if (awayNames.includes(name) || /^(SQLITE_|ECONN|ENOSPC|EROFS)/.test(code)) return { kind: 'away', code, message };
  return null;
}

const wrongNames = ['ManifestError', 'InvoiceError', 'ReferenceProblem'];
const awayNames = [
  'LedgerAwayError',
  'CommitUncertainError',
  'ConnectionError',
  'PricingInterrupted',
  'MovieApiError',
  'ContractError',
];

function ledgerKind(code: string): Refusal['kind'] {
  if (code === 'not_allowed') return 'forbidden';
  if (code === 'bad_argument') return 'wrong';
  return code.startsWith('unknown_') ? 'missing' : 'conflict';
}
