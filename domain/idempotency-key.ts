import { createHash } from 'node:crypto';
import { canonicalJson } from './digests/canonical.js';
import { type Lineage, lineageIdentity } from './lineage.js';

export interface OrderIdentity extends Lineage {
  readonly rowKey: string;
  readonly contentDigest: string;
  /** Counts the orders of a row key in its lineage, over all batches and contents; from 1. */
  readonly attempt: number;
}

/**
 * The `Idempotency-Key` of an order, 46 characters. It follows from what the order is, never from when or where it was
 * sent, so that a restart, a replay or a second worker sends the same one.
 */
export function idempotencyKey({ service, campaign, rowKey, contentDigest, attempt }: OrderIdentity): string {
  const lineage = lineageIdentity({ service, campaign });
  const identity = canonicalJson({ lineage, row_key: rowKey, content: contentDigest, attempt });
  return `gl_${createHash('sha256').update(identity).digest('base64url')}`;
}
