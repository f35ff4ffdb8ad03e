import { assertSeesBatch } from '../../ledger/access/sight.js';
import * as links from '../../ledger/movie-reviews/share-links.js';
import type { BatchLook } from '../batches.js';
import type { OperationDeps } from '../deps.js';

export type { ShareLink } from '../../ledger/movie-reviews/share-links.js';

const dayMs = 24 * 60 * 60 * 1_000;

/** Makes a link to the gallery of a batch; its token is returned only once. */
export function share(
  { ledger, clock }: OperationDeps,
  { days, ...look }: BatchLook & { readonly days: number },
): Promise<{ readonly link: links.ShareLink; readonly token: string }> {
  const nowMs = clock();
  return links.createShareLink(ledger, { ...look, untilMs: nowMs + days * dayMs, nowMs });
}

/** Revokes the link at once. */
export function unshare(
  { ledger, clock }: OperationDeps,
  input: BatchLook & { readonly linkId: string },
): Promise<void> {
  return links.revokeShareLink(ledger, { ...input, nowMs: clock() });
}

/** Links to a batch that are open now, newest first. */
export async function openLinks(
  { ledger, clock }: OperationDeps,
  { batchId, actor }: BatchLook,
): Promise<readonly links.ShareLink[]> {
  await assertSeesBatch(ledger.db, actor, batchId);
  const nowMs = clock();
  const all = await links.listShareLinks(ledger, batchId);
  return all.filter(({ untilMs, revokedAtMs }) => revokedAtMs === null && untilMs > nowMs);
}
