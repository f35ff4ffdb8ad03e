import type { Actor } from '../domain/roles.js';
import { refetchRows, retryRows } from '../ledger/progress/retries.js';
import type { Notified, OperationDeps } from './deps.js';

export interface RetryInput {
  readonly batchId: string;
  /** `all`: every row that failed, was canceled or is lost. */
  readonly rowKeys: readonly string[] | 'all';
  readonly actor: Actor;
}

export interface PlanAgainInput extends Omit<RetryInput, 'rowKeys'> {
  /** `redo`: every delivered row that a review marked for redo. */
  readonly rowKeys: readonly string[] | 'all' | 'redo';
}

/**
 * Stores failed, canceled or lost rows, or delivered ones marked for redo, with the content that they had, as the
 * campaign's next batch. It is priced and decided on like any other; the person who retries is its submitter.
 */
export async function retry(
  { ledger, clock, workflows }: OperationDeps,
  input: PlanAgainInput,
): Promise<Notified & { readonly batchId: string }> {
  const { batchId } = await retryRows(ledger, { ...input, nowMs: clock() });
  return { batchId, told: await workflows.startBatch(batchId) };
}

/** Asks the service again for the files of lost movies, which costs nothing. */
export async function refetch(
  { ledger, clock, workflows }: OperationDeps,
  input: RetryInput,
): Promise<Notified & { readonly rows: number }> {
  const { rows } = await refetchRows(ledger, { ...input, nowMs: clock() });
  return { rows, told: await workflows.takeUpRows(input.batchId) };
}
