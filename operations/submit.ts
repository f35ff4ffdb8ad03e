import type { Actor } from '../domain/roles.js';
import { type BatchView, findOpenBatches, sameBriefs } from '../ledger/batches/batches.js';
import { createBatch } from '../ledger/plan/create-batch.js';
import type { Notified, OperationDeps } from './deps.js';
import type { OpenManifest } from './open-manifest.js';

export interface SubmitInput {
  readonly manifest: OpenManifest;
  readonly actor: Actor;
  /** How to treat an open batch of the campaign with other rows: it is `in the way`, or planned next to. */
  readonly otherBatch: 'in the way' | 'beside';
}

export type Submitted =
  | (Notified & { readonly kind: 'submitted'; readonly batchId: string })
  /** An open batch of the campaign asks for exactly these rows: nothing was stored, and its work continues. */
  | (Notified & { readonly kind: 'attached'; readonly batchId: string })
  | { readonly kind: 'in the way'; readonly batch: BatchView };

/**
 * Stores the rows of a manifest as the campaign's next batch and starts its preparation. Orders nothing: once priced,
 * the batch waits for a decision.
 *
 * @throws LedgerError without the role, or when the path has no budget.
 */
export async function submit(deps: OperationDeps, { manifest, actor, otherBatch }: SubmitInput): Promise<Submitted> {
  const { ledger, service, clock, workflows } = deps;
  const { campaign, settings, name, columns } = manifest;
  const open = await findOpenBatches(ledger, { service, campaign });
  for (const { batchId } of open) {
    if (await sameBriefs(ledger, batchId, manifest.briefsDigest)) {
      return { kind: 'attached', batchId, told: await workflows.startBatch(batchId) };
    }
  }
  const [first] = open;
  if (first && otherBatch === 'in the way') return { kind: 'in the way', batch: first };
  const { batchId } = await createBatch(ledger, {
    ...{ service, campaign, settings, actor },
    manifest: { name, columns },
    rows: () => manifest.rows(),
    nowMs: clock(),
  });
  return { kind: 'submitted', batchId, told: await workflows.startBatch(batchId) };
}
