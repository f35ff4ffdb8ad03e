import type { Brief } from '../../domain/brief.js';
import { movieOrder } from '../../domain/movie-request.js';
import type { Tx } from '../ledger.js';

export interface RequestsOf {
  readonly serviceNo: number;
  readonly briefs: readonly { readonly brief: Brief; readonly webhookUrl: string | null }[];
}

/** The exact bytes of creates, in the order of the briefs, with the service's ids of everything that was uploaded. */
export async function requestBodies(tx: Tx, { serviceNo, briefs }: RequestsOf): Promise<readonly string[]> {
  const digests = new Set(briefs.flatMap(({ brief }) => digestsIn(brief)));
  const referenceIds = new Map<string, string>();
  if (digests.size > 0) {
    const uploads = await tx
      .selectFrom('uploads')
      .select(['sha256', 'reference_id'])
      .where('service_no', '=', serviceNo)
      .where('sha256', 'in', [...digests])
      .execute();
    for (const { sha256, reference_id } of uploads) referenceIds.set(sha256, reference_id);
  }
  return briefs.map(({ brief, webhookUrl }) => JSON.stringify(movieOrder(brief, { referenceIds, webhookUrl })));
}

function digestsIn({ references }: Brief): readonly string[] {
  return references.flatMap(({ source }) => (source.kind === 'id' || source.sha256 === null ? [] : [source.sha256]));
}
