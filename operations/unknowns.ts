import type { Actor } from '../domain/roles.js';
import { assertSeesBatch, sightOf } from '../ledger/access/sight.js';
import * as unknowns from '../ledger/orders/unknowns.js';
import type { Notified, OperationDeps } from './deps.js';

export interface ResolveInput {
  readonly batchId: string;
  readonly rowKey: string;
  readonly resolution: unknowns.Resolution;
  readonly actor: Actor;
}

/** Orders whose outcome nobody knows, the oldest first, in the campaigns that the person may see. */
export async function listUnknowns(
  { ledger }: OperationDeps,
  { actor, batchId }: { readonly actor: Actor; readonly batchId?: string },
): Promise<readonly unknowns.UnknownRow[]> {
  if (batchId !== undefined) {
    await assertSeesBatch(ledger.db, actor, batchId);
    return unknowns.listUnknowns(ledger, { batchId });
  }
  return unknowns.listUnknowns(ledger, await sightOf(ledger.db, actor));
}

/** Says what became of an unknown order. It takes effect when a second person says the same, or at once for who works alone. */
export async function resolveUnknown(
  { ledger, clock, workflows }: OperationDeps,
  input: ResolveInput,
): Promise<Notified & { readonly resolved: unknowns.Resolved }> {
  const resolved = await unknowns.resolveUnknown(ledger, { ...input, nowMs: clock() });
  return { resolved, told: resolved.state === 'proposed' || (await workflows.startBatch(input.batchId)) };
}
