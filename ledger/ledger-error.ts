/** What a person or a caller did that cannot be done. */
export type LedgerErrorCode =
  | 'bad_argument'
  | 'unknown_batch'
  | 'unknown_row'
  | 'unknown_budget'
  | 'unknown_person'
  | 'unknown_upload'
  | 'not_allowed'
  | 'wrong_state'
  | 'archived'
  | 'no_budget'
  | 'no_room'
  | 'other_plan'
  | 'stale_plan'
  | 'stale_estimates'
  | 'corrupt_books';

/** The message is ready to print. Thrown inside a transaction, which it undoes. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
  readonly code: LedgerErrorCode;

  constructor(code: LedgerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
