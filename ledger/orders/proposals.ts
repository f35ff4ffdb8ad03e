import type { Actor } from '../../domain/roles.js';
import type { Ledger, Tx } from '../ledger.js';

export interface Proposal {
  readonly resolution: Resolution;
  readonly by: string;
  readonly atMs: number;
}

/** What is said to have become of the order. */
export type Resolution =
  /** It made this movie, which is followed from here on; the service was asked for it. */
  | { readonly kind: 'created'; readonly movieId: string }
  /** It certainly made none: the hold goes back, or what was posted is refunded. */
  | { readonly kind: 'not_created'; readonly evidence: string }
  /** Nobody can tell: it is sent once more, and may then be billed twice, up to the hold. */
  | { readonly kind: 'resend' }
  /** It made a movie that the service does not give any more: given up, and paid. */
  | { readonly kind: 'lost'; readonly evidence: string };

export interface NewProposal {
  readonly batchId: string;
  readonly rowKey: string;
  readonly resolution: Resolution;
  readonly actor: Actor;
  readonly nowMs: number;
}

export async function propose(tx: Tx, { batchId, rowKey, resolution, actor, nowMs }: NewProposal): Promise<Proposal> {
  const proposal = { resolution: JSON.stringify(resolution), by_name: actor.name, at_ms: nowMs };
  await tx
    .insertInto('proposals')
    .values({ batch_id: batchId, row_key: rowKey, ...proposal })
    .onConflict((conflict) => conflict.columns(['batch_id', 'row_key']).doUpdateSet(proposal))
    .execute();
  return { resolution, by: actor.name, atMs: nowMs };
}

export async function findProposal(db: Tx | Ledger['db'], batchId: string, rowKey: string): Promise<Proposal | null> {
  const found = await db
    .selectFrom('proposals')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('row_key', '=', rowKey)
    .executeTakeFirst();
  if (!found) return null;
  return { resolution: JSON.parse(found.resolution) as Resolution, by: found.by_name, atMs: found.at_ms };
}

/** Whoever confirms brings evidence of their own; what must agree is what happened. */
export function sameResolution(one: Resolution, other: Resolution): boolean {
  if (one.kind === 'created' && other.kind === 'created') return one.movieId === other.movieId;
  return one.kind === other.kind;
}
