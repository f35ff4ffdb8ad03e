import type { Actor } from '../domain/roles.js';
import { type BatchView, findOpenBatches, sameBriefs } from '../ledger/batches/batches.js';
import { createBatch } from '../ledger/plan/create-batch.js';
import type { Notified, OperationDeps } from './deps.js';
import type { OpenManifest } from './open-manifest.js';

export interface SubmitInput {
  readonly manifest: OpenManifest;
  readonly actor: Actor;
  /** What an open batch of the campaign with other rows does: it is `in the way`, or it is planned beside. */
  readonly otherBatch: 'in the way' | 'beside';
}

export type Submitted =
  | (Notified & { readonly kind: 'submitted'; readonly batchId: string })
  /** An open batch of the campaign asks for these very rows: nothing was stored, and its work goes on. */
  | (Notified & { readonly kind: 'attached'; readonly batchId: string })
  | { readonly kind: 'in the way'; readonly batch: BatchView };

/**
 * Stores the rows of a manifest as the campaign's next batch and has it prepared. Orders nothing: the batch waits for
 * a decision once it is priced.
 *
 * @throws LedgerError without the role, or where the path has no budget.
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
