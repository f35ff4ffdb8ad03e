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
 * Records who wants which rows canceled, then tells the workers. What was not sent is over with the commit; what runs
 * at the service is told to it; what is finished there is still archived. Repeating it is harmless.
 */
export async function cancel(
  { ledger, clock, workflows }: OperationDeps,
  input: CancelInput,
): Promise<Notified & { readonly rows: number }> {
  const { rows } = await cancels.requestCancel(ledger, { ...input, nowMs: clock() });
  return { rows, told: await workflows.nudgeBatch(input.batchId) };
}

/** What a cancel would do now, in rows and money. Changes nothing. */
export async function previewCancel(
  { ledger }: OperationDeps,
  { actor, ...input }: Omit<CancelInput, 'reason'>,
): Promise<cancels.CancelPreview> {
  await assertSeesBatch(ledger.db, actor, input.batchId);
  return cancels.previewCancel(ledger, input);
}
