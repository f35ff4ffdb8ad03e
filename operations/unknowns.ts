import type { Actor } from '../domain/roles.js';
import * as unknowns from '../ledger/orders/unknowns.js';
import type { Notified, OperationDeps } from './deps.js';

export interface ResolveInput {
  readonly batchId: string;
  readonly rowKey: string;
  readonly resolution: unknowns.Resolution;
  readonly actor: Actor;
}

/** Orders whose outcome nobody knows, the oldest first. */
export function listUnknowns(
  { ledger }: OperationDeps,
  filter: { readonly batchId?: string; readonly limit?: number } = {},
): Promise<readonly unknowns.UnknownRow[]> {
  return unknowns.listUnknowns(ledger, filter);
}

/** Says what became of an unknown order. It takes effect when a second person says the same, or at once for who works alone. */
export async function resolveUnknown(
  { ledger, clock, workflows }: OperationDeps,
  input: ResolveInput,
): Promise<Notified & { readonly resolved: unknowns.Resolved }> {
  const resolved = await unknowns.resolveUnknown(ledger, { ...input, nowMs: clock() });
  return { resolved, told: resolved.state === 'proposed' || (await workflows.startBatch(input.batchId)) };
}
