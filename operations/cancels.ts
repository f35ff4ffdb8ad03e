import type { Actor } from '../domain/roles.js';
import { assertSeesBatch } from '../ledger/access/sight.js';
import * as cancels from '../ledger/progress/cancels.js';
import type { Notified, OperationDeps } from './deps.js';

export interface CancelInput {
  readonly batchId: string;
  readonly rowKeys: readonly string[] | 'all';
  readonly actor: Actor;
  readonly reason: string;
}

/**
 * Records who cancels which rows, then notifies the workers. Rows that were not sent end with the commit; running ones
 * are canceled at the service; finished ones are still archived. Repeating it is harmless.
 */
export async function cancel(
  { ledger, clock, workflows }: OperationDeps,
  input: CancelInput,
): Promise<Notified & { readonly rows: number }> {
  const { rows } = await cancels.requestCancel(ledger, { ...input, nowMs: clock() });
  return { rows, told: await workflows.nudgeBatch(input.batchId) };
}

/** Returns what a cancel would do now, in rows and money. Changes nothing. */
export async function previewCancel(
  { ledger }: OperationDeps,
  { actor, ...input }: Omit<CancelInput, 'reason'>,
): Promise<cancels.CancelPreview> {
  await assertSeesBatch(ledger.db, actor, input.batchId);
  return cancels.previewCancel(ledger, input);
}
