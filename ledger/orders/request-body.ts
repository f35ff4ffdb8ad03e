import type { Brief } from '../../domain/brief.js';
import { movieOrder } from '../../domain/movie-request.js';
import type { Tx } from '../ledger.js';

export interface RequestOf {
  readonly serviceNo: number;
  readonly brief: Brief;
  readonly webhookUrl: string | null;
}

/** The exact bytes of a create, with the service's ids of everything that was uploaded for it. */
export async function requestBody(tx: Tx, { serviceNo, brief, webhookUrl }: RequestOf): Promise<string> {
  const digests = brief.references.flatMap(({ source }) =>
    source.kind === 'id' || source.sha256 === null ? [] : [source.sha256],
  );
  const referenceIds = new Map<string, string>();
  if (digests.length > 0) {
    const uploads = await tx
      .selectFrom('uploads')
      .select(['sha256', 'reference_id'])
      .where('service_no', '=', serviceNo)
      .where('sha256', 'in', digests)
      .execute();
    for (const { sha256, reference_id } of uploads) referenceIds.set(sha256, reference_id);
  }
  return JSON.stringify(movieOrder(brief, { referenceIds, webhookUrl }));
}
